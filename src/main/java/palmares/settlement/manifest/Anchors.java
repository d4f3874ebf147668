package palmares.settlement.manifest;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.platform.text.Saying;
import palmares.platform.text.Sentence;
import palmares.platform.threads.SharedRound;
import palmares.settlement.manifest.ChainLink.Chain;
import palmares.settlement.outcome.Revision;

/**
 * Copies the links of the chains into a file, out of reach of the owner of the tables. {@code
 * palmares verify} compares the file with the tables, and so finds links erased at the end of a
 * chain. Each database has its own file, to which lines are only appended. A line that a full disk
 * or a crash has cut short is not taken for an anchor, since each line has a checksum.
 */
@Component
@EnableConfigurationProperties(Anchors.Settings.class)
public class Anchors {
  /** Why a revision cannot be posted, or a link anchored. */
  interface ManifestSentences {
    record Forgotten(String period, int revision, String file) implements Sentence {}

    record Unreadable(String period, String file) implements Sentence {}

    record FileMissing(String file) implements Sentence {}

    record LinkForgotten(long link, String chain, String what, String file) implements Sentence {}
  }

  private static final Logger LOG = LoggerFactory.getLogger(Anchors.class);

  private static final int MAX_LINKS_PER_WRITE = 10_000;
  private static final int MAX_TORN_LINES = 10;
  private static final long FIRST_PART_BYTES = 64 * 1024;
  private static final long TAIL_BYTES = 4 * 1024;

  private static final String FRESH = ofEachChain("where n > :%1$s order by n limit :most");

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Settings settings;
  private final SharedRound<Optional<Sentence>> rounds = new SharedRound<>(this::keepAll);

  private volatile @Nullable Path file;
  private long sizeSeen;
  private final Map<Chain, Anchor> lastSeen = new EnumMap<>(Chain.class);
  private boolean failing;

  Anchors(JdbcClient jdbc, Clock clock, Settings settings) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.settings = settings;
  }

  /**
   * Builds the SQL that selects the links of all chains as anchors.
   *
   * @param which the end of the statement for one chain, with its name as the argument
   */
  private static String ofEachChain(String which) {
    return Arrays.stream(Chain.values())
        .map(
            chain ->
                "(select '%1$s' as chain, n, hash, :now as at, what from (\n%2$s) link %3$s)"
                    .formatted(
                        chain.word(),
                        chain.links(),
                        which.formatted(chain.name().toLowerCase(Locale.ROOT))))
        .collect(Collectors.joining("\nunion all\n"));
  }

  /**
   * Configures the anchors.
   *
   * @param folder the folder of the file with copies of the links; created if it is missing
   * @param required whether links that the file does not have are differences; if the file is
   *     missing, it is not begun again
   */
  @ConfigurationProperties("palmares.anchors")
  record Settings(String folder, @DefaultValue("false") boolean required) {}

  /** Whether a verification requires each link to be in the file. */
  public boolean required() {
    return settings.required();
  }

  /**
   * Is the file as it was at an instant, which is before a transaction takes its snapshot.
   *
   * @param size its size in bytes then; 0 if it did not exist
   */
  public record Copy(Path file, long size) {}

  /**
   * Appends the links that are not anchored yet; those that are committed by now are among them.
   * Concurrent callers share one write. A failure is logged, not thrown, so that it stops no
   * payment; the next call retries it.
   *
   * @return why not all links are in the file; empty if they are
   */
  public Optional<Sentence> keep() {
    return rounds.join();
  }

  private synchronized Optional<Sentence> keepAll() {
    try {
      var to = new AnchorFile(file());
      requireFile(to);
      catchUp(to);
      requireSameChains(to);
      while (append(to)) {
        LOG.debug("anchored {} links of a chain", MAX_LINKS_PER_WRITE);
      }
      failing = false;
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      if (!failing) {
        LOG.warn(
            "no anchors written to {}; tried again each minute: {}",
            settings.folder(),
            e.toString());
      }
      failing = true;
      return Optional.of(
          e instanceof Saying saying ? saying.said() : Sentence.verbatim(e.toString()));
    }
  }

  /** A file that is begun again would hide that the one before it was removed. */
  private void requireFile(AnchorFile to) {
    if (settings.required() && !to.exists() && isOlderThanADay()) {
      throw new WrongState(new ManifestSentences.FileMissing(to.toString()));
    }
  }

  /** Links that are appended to those of another chain would hide what PostgreSQL has forgotten. */
  private void requireSameChains(AnchorFile to) throws IOException {
    if (lastSeen.values().stream().allMatch(this::isStored)) {
      return;
    }
    lastSeen.clear(); // another process may have begun the file again
    sizeSeen = 0;
    catchUp(to);
    for (Anchor last : lastSeen.values()) {
      if (!isStored(last)) {
        throw new WrongState(
            new ManifestSentences.LinkForgotten(
                last.n(), last.chain().word(), last.what(), to.toString()));
      }
    }
  }

  /**
   * Requires that PostgreSQL has not forgotten that a revision was posted, as the file shows,
   * unless a person lets the period close again since. If it has the last anchored manifest, it has
   * all: they form a chain. If the file cannot be read and is not required, it does nothing. It
   * waits for no other thread, since the caller's transaction has a connection.
   *
   * @throws WrongState if it has forgotten it, or a required file cannot be read
   */
  void requireNotForgotten(Period period, int revision) {
    var from = new AnchorFile(file());
    String what = period.label() + " " + revision;
    var anchored = new ArrayList<Anchor>();
    try {
      if (lastIfForgotten(from).isPresent()) {
        from.lines(
            0,
            from.size(),
            line -> Anchor.of(line).filter(one -> one.isOf(what)).ifPresent(anchored::add));
      }
    } catch (IOException e) {
      if (settings.required()) {
        throw new WrongState(new ManifestSentences.Unreadable(period.label(), from.toString()));
      }
      LOG.warn("{} cannot be read: {}", from, e.toString());
    }
    if (anchored.stream().anyMatch(one -> !isAcknowledged(period, revision, one))) {
      throw new WrongState(
          new ManifestSentences.Forgotten(period.label(), revision, from.toString()));
    }
  }

  private boolean isAcknowledged(Period period, int revision, Anchor anchor) {
    return revision == Revision.FIRST
        && jdbc.sql(
                """
                select exists (
                  select from acknowledged_loss
                  where period_id = :period and forgotten is not null and made_at >= :anchored)
                """)
            .param("period", period.id())
            .param("anchored", anchor.at())
            .query(Boolean.class)
            .single();
  }

  /** Returns the last anchored link of the manifests if PostgreSQL does not have it. */
  private Optional<Anchor> lastIfForgotten(AnchorFile from) throws IOException {
    long size = from.size();
    var found = new ArrayList<Anchor>();
    long part = TAIL_BYTES;
    do {
      from.lines(
          Math.max(size - part, 0),
          size,
          line ->
              Anchor.of(line).filter(one -> one.chain() == Chain.MANIFESTS).ifPresent(found::add));
      part *= 8;
    } while (found.isEmpty() && part < size * 8);
    return found.stream().max(Comparator.comparingLong(Anchor::n)).filter(last -> !isStored(last));
  }

  private boolean isStored(Anchor anchor) {
    return jdbc.sql(
            "select exists (select from (%s) link where n = :n and hash = :hash)"
                .formatted(anchor.chain().links()))
        .param("n", anchor.n())
        .param("hash", anchor.hash())
        .query(Boolean.class)
        .single();
  }

  private boolean isOlderThanADay() {
    Instant yesterday = clock.instant().minus(Duration.ofDays(1));
    return Arrays.stream(Chain.values())
        .anyMatch(
            chain ->
                jdbc.sql(
                        "select exists (select from (%s) link where made_at < :yesterday)"
                            .formatted(chain.links()))
                    .param("yesterday", yesterday)
                    .query(Boolean.class)
                    .single());
  }

  /** Returns whether there may be more to append. */
  private boolean append(AnchorFile to) throws IOException {
    List<Anchor> fresh = fresh();
    if (fresh.isEmpty()) {
      return false;
    }
    to.append(fresh);
    fresh.forEach(this::see);
    sizeSeen = to.size();
    return fresh.size() >= MAX_LINKS_PER_WRITE;
  }

  /** Returns links that are not anchored yet, each chain's in their order, and not all if many. */
  private List<Anchor> fresh() {
    return jdbc.sql(FRESH)
        .param("manifests", lastNumber(Chain.MANIFESTS))
        .param("audit_log", lastNumber(Chain.AUDIT_LOG))
        .param("most", MAX_LINKS_PER_WRITE)
        .param("now", clock.instant())
        .query(Anchor.class)
        .list();
  }

  private long lastNumber(Chain chain) {
    Anchor last = lastSeen.get(chain);
    return last == null ? 0 : last.n();
  }

  /**
   * Finds the last anchored links. Reads what other processes have appended; at first, the end of
   * the file, and more of it until it has found a link of each chain.
   */
  private void catchUp(AnchorFile from) throws IOException {
    long size = from.size();
    if (size < sizeSeen) {
      LOG.warn(
          "{} had {} bytes and has {}: anchors were removed; all missing ones are written again",
          from,
          sizeSeen,
          size);
      lastSeen.clear();
      sizeSeen = 0;
    }
    if (size > sizeSeen && sizeSeen > 0) {
      see(from, sizeSeen, size);
    } else if (size > sizeSeen) {
      long part = FIRST_PART_BYTES;
      see(from, size - part, size);
      while (part < size && lastSeen.size() < Chain.values().length) {
        part *= 8;
        see(from, size - part, size);
      }
    }
    sizeSeen = size;
  }

  /** A line that begins before the part is not seen, and at worst anchored twice. */
  private void see(AnchorFile from, long start, long end) throws IOException {
    from.lines(Math.max(start, 0), end, line -> Anchor.of(line).ifPresent(this::see));
  }

  private void see(Anchor anchor) {
    lastSeen.merge(
        anchor.chain(), anchor, BinaryOperator.maxBy(Comparator.comparingLong(Anchor::n)));
  }

  /**
   * Returns the file of this database as it is now. Call it before the transaction that compares
   * with it, which may take its snapshot here otherwise.
   */
  public Copy copy() {
    try {
      return new Copy(file(), new AnchorFile(file()).size());
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /**
   * Reads all anchors of a copy, in batches.
   *
   * @return the numbers of the first torn lines, which are neither complete nor as they were
   *     written
   * @throws DataAccessResourceFailureException if the file cannot be read
   */
  public List<Long> read(Copy copy, Consumer<List<Anchor>> batches) {
    var batch = new ArrayList<Anchor>();
    var torn = new ArrayList<Long>();
    var number = new long[1];
    try {
      new AnchorFile(copy.file())
          .lines(
              0,
              copy.size(),
              line -> {
                number[0]++;
                Optional<Anchor> anchor = Anchor.of(line);
                anchor.ifPresent(batch::add);
                if (anchor.isEmpty() && line.length > 0 && torn.size() < MAX_TORN_LINES) {
                  torn.add(number[0]);
                }
                if (batch.size() == MAX_LINKS_PER_WRITE) {
                  batches.accept(List.copyOf(batch));
                  batch.clear();
                }
              });
    } catch (IOException e) {
      throw unreadable(e);
    }
    if (!batch.isEmpty()) {
      batches.accept(batch);
    }
    return torn;
  }

  private DataAccessResourceFailureException unreadable(IOException cause) {
    return new DataAccessResourceFailureException(
        "the anchors in %s cannot be read".formatted(file()), cause);
  }

  /** Returns the last link of each chain that has links, as the database has it now. */
  public List<Anchor> last() {
    return jdbc.sql(ofEachChain("order by n desc limit 1"))
        .param("now", clock.instant())
        .query(Anchor.class)
        .list();
  }

  /**
   * Returns the file of this database. The first call reads the database's name, in the caller's
   * transaction if there is one: with a second connection it could wait for those of others.
   */
  public Path file() {
    Path known = file;
    if (known == null) {
      known = Path.of(settings.folder(), database() + ".log");
      file = known;
    }
    return known;
  }

  private String database() {
    return jdbc.sql(
            """
            select format('%s-%s', system_identifier, oid)
            from pg_control_system(), pg_database
            where datname = current_database()
            """)
        .query(String.class)
        .single();
  }
}
