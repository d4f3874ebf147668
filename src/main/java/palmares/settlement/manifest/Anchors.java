package palmares.settlement.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.form.Choice;

/**
 * Copies the links of the chains into a file, out of reach of the owner of the tables. {@code
 * palmares verify} compares the file with the tables, and so finds links erased at the end of a
 * chain. Each database has its own file, to which lines are only appended.
 */
@Component
@EnableConfigurationProperties(Anchors.Settings.class)
public class Anchors {
  private static final Logger LOG = LoggerFactory.getLogger(Anchors.class);

  private static final int MAX_LINKS_PER_WRITE = 10_000;

  private final DataSource dataSource;
  private final JdbcClient jdbc;
  private final Clock clock;
  private final Settings settings;

  private @Nullable Path file;
  private long sizeSeen = -1;
  private final Map<Chain, Long> lastSeen = new EnumMap<>(Chain.class);
  private boolean failing;

  Anchors(DataSource dataSource, JdbcClient jdbc, Clock clock, Settings settings) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
    this.clock = clock;
    this.settings = settings;
  }

  /**
   * Configures the anchors.
   *
   * @param folder the folder of the file with copies of the links; created if it is missing
   */
  @ConfigurationProperties("palmares.anchors")
  record Settings(String folder) {}

  /** A chain that is anchored. */
  public enum Chain implements Choice {
    MANIFESTS(
        """
        select n, hash, format('%s %s %s', board, period, revision) as what
        from manifest_link
        """),
    ACTS(
        """
        select n, act_link.hash, concat_ws(' ', verb, 'by ' || by, 'at ' || at) as what
        from act_link
        left join act on act.id = act_id
        """);

    private final String links;

    Chain(String links) {
      this.links = links;
    }

    /** The SQL that selects {@code n, hash, what} of all links. */
    public String links() {
      return links;
    }
  }

  /**
   * A link as it was anchored.
   *
   * @param what describes what the link is of
   */
  public record Anchor(Chain chain, long n, String hash, String at, String what) {
    /** The line in the file, without line breaks in names. */
    String line() {
      return String.join(" ", at, chain.word(), "" + n, hash, what.replaceAll("\\R", " ")) + "\n";
    }

    static Optional<Anchor> of(String line) {
      String[] parts = line.split(" ", 5);
      for (Chain chain : Chain.values()) {
        if (parts.length == 5 && parts[1].equals(chain.word()) && parts[2].matches("\\d{1,18}")) {
          return Optional.of(
              new Anchor(chain, Long.parseLong(parts[2]), parts[3], parts[0], parts[4]));
        }
      }
      return Optional.empty();
    }
  }

  /**
   * Appends the links that are not anchored yet. A failure is logged, not thrown, so that it stops
   * no payment; the next call retries it.
   */
  public synchronized void keep() {
    try {
      Path to = file();
      readIfChanged(to);
      for (Chain chain : Chain.values()) {
        while (append(to, chain) == MAX_LINKS_PER_WRITE) {
          LOG.debug("anchored {} {} links", MAX_LINKS_PER_WRITE, chain.word());
        }
      }
      failing = false;
    } catch (IOException | RuntimeException e) {
      if (!failing) {
        LOG.warn(
            "no anchors written to {}; tried again each minute: {}",
            settings.folder(),
            e.toString());
      }
      failing = true;
    }
  }

  private int append(Path to, Chain chain) throws IOException {
    List<Anchor> fresh =
        links(
            chain,
            "select * from (%%s) link where n > %d order by n limit %d"
                .formatted(lastSeen.getOrDefault(chain, 0L), MAX_LINKS_PER_WRITE));
    if (!fresh.isEmpty()) {
      Files.createDirectories(to.toAbsolutePath().getParent(), owner("rwx------"));
      String lines = fresh.stream().map(Anchor::line).collect(Collectors.joining());
      try (var file = FileChannel.open(to, Set.of(CREATE, APPEND), owner("rw-------"))) {
        var rest = ByteBuffer.wrap(lines.getBytes(UTF_8));
        while (rest.hasRemaining()) {
          file.write(rest);
        }
      }
      lastSeen.put(chain, fresh.get(fresh.size() - 1).n());
      sizeSeen = Files.size(to);
    }
    return fresh.size();
  }

  private static FileAttribute<Set<PosixFilePermission>> owner(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  private List<Anchor> links(Chain chain, String sql) {
    return jdbc.sql(sql.formatted(chain.links()))
        .query(
            (row, i) ->
                new Anchor(
                    chain,
                    row.getLong("n"),
                    row.getString("hash"),
                    clock.instant().toString(),
                    row.getString("what")))
        .list();
  }

  /** Reads the file if its size has changed, since other processes append to it, too. */
  private void readIfChanged(Path from) throws IOException {
    long size = Files.exists(from) ? Files.size(from) : 0;
    if (size != sizeSeen) {
      lastSeen.clear();
      for (Anchor anchor : read(from)) {
        lastSeen.merge(anchor.chain(), anchor.n(), Math::max);
      }
      sizeSeen = size;
    }
  }

  /**
   * Returns all anchors of this database.
   *
   * @throws DataAccessResourceFailureException if the file cannot be read
   */
  public List<Anchor> all() {
    try {
      return read(file());
    } catch (IOException e) {
      throw new DataAccessResourceFailureException(
          "the anchors in %s cannot be read".formatted(file()), e);
    }
  }

  /** Returns the last link of each chain that has links, as the database has it now. */
  public List<Anchor> last() {
    return Arrays.stream(Chain.values())
        .flatMap(chain -> links(chain, "select * from (%s) link order by n desc limit 1").stream())
        .toList();
  }

  private static List<Anchor> read(Path from) throws IOException {
    var anchors = new ArrayList<Anchor>();
    if (Files.exists(from)) {
      for (String line : Files.readAllLines(from, UTF_8)) {
        Anchor.of(line).ifPresent(anchors::add);
      }
    }
    return anchors;
  }

  /**
   * Returns the file of this database. It uses a separate connection, since a verification must
   * read the file before its transaction takes a snapshot.
   */
  public synchronized Path file() {
    Path known = file;
    if (known == null) {
      known = Path.of(settings.folder(), database() + ".log");
      file = known;
    }
    return known;
  }

  private String database() {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select format('%s-%s', system_identifier, oid)
                from pg_control_system(), pg_database
                where datname = current_database()
                """)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("the name of the database cannot be read", e);
    }
  }
}
