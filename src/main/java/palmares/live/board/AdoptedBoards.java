package palmares.live.board;

import static java.util.Objects.requireNonNull;
import static palmares.live.board.AdoptedKeys.bytes;

import io.lettuce.core.ScoredValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.Population;
import palmares.period.exclusion.ExclusionLists;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.redis.KeyScan;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.MemberScore;

/** Inspects, seals and deletes adopted boards. A seal renames the keys of the writing program. */
@Component
public class AdoptedBoards {
  private final RedisClient redis;
  private final KeyScan scan;
  private final KeyRemoval removal;
  private final ExclusionLists exclusions;

  AdoptedBoards(RedisClient redis, KeyScan scan, KeyRemoval removal, ExclusionLists exclusions) {
    this.exclusions = exclusions;
    this.redis = redis;
    this.scan = scan;
    this.removal = removal;
  }

  /** Whether the program's keys exist. */
  public boolean exists(Period period, Board board) {
    return !written(period, board).isEmpty();
  }

  /** Whether the member is on the board that the program still writes. */
  boolean holds(Period period, Board board, MemberId member) {
    AdoptedKeys keys = AdoptedKeys.of(period, board);
    byte[] key = bytes(keys.own().get(0));
    byte[] name = bytes(member.value());
    return keys.shared()
        ? redis.command(commands -> commands.hexists(key, name))
        : redis.command(commands -> commands.zscore(key, name)) != null;
  }

  /** Counts the entries of each of the program's keys that exists. */
  public Map<String, Long> written(Period period, Board board) {
    var written = new LinkedHashMap<String, Long>();
    for (String key : AdoptedKeys.of(period, board).own()) {
      long entries = scan.entries(key);
      if (entries > 0) {
        written.put(key, entries);
      }
    }
    return written;
  }

  /** Whether Redis has the mark of the seal, so that later writes do not reach the board. */
  public boolean isMarked(Period period, Board board) {
    return exists(AdoptedKeys.of(period, board).mark());
  }

  /**
   * Says why a closing would not find the sealed board, and what to do; empty if it would find it.
   * It reads the key that {@link #sealAgain} would use.
   *
   * @throws AdoptionRefused if a line cannot be read
   */
  public Optional<Sentence> loss(Period period, Board board, Population sealed) {
    AdoptedKeys keys = AdoptedKeys.of(period, board);
    boolean marked = exists(keys.mark());
    if (!marked) {
      List<String> pairs = keys.pairs();
      for (int i = 0; i < pairs.size(); i += 2) {
        if (exists(pairs.get(i + 1))) {
          return Optional.of(new AdoptionSentences.Unmarked(pairs.get(i + 1), pairs.get(i)));
        }
      }
    }
    String key = marked ? keys.sealed() : keys.own().get(0);
    Population found = population(period, board, keys, key);
    return found.equals(sealed)
        ? Optional.empty()
        : Optional.of(
            new AdoptionSentences.NotSealed(
                key, found.members(), found.points(), sealed.members(), sealed.points()));
  }

  /** Counts what the sealed keys hold. */
  public Population sealed(Period period, Board board) {
    AdoptedKeys keys = AdoptedKeys.of(period, board);
    return population(period, board, keys, keys.sealed());
  }

  private AdoptedLines lines(Period period, Board board) {
    var unranked = new AtomicReference<@Nullable Set<String>>();
    return new AdoptedLines(
        period,
        board,
        () ->
            requireNonNull(
                unranked.updateAndGet(known -> known == null ? unranked(period) : known)));
  }

  private Set<String> unranked(Period period) {
    return exclusions.inForce(period).levels().entrySet().stream()
        .filter(entry -> !entry.getValue().isRanked())
        .map(entry -> entry.getKey().value())
        .collect(Collectors.toUnmodifiableSet());
  }

  private Population population(Period period, Board board, AdoptedKeys keys, String key) {
    var lines = lines(period, board);
    if (scan.type(key).equals(keys.types().get(0))) {
      read(keys, key, lines);
    }
    lines.require(key);
    return new Population(lines.members(), lines.points(), 0);
  }

  private void read(AdoptedKeys keys, String key, AdoptedLines lines) {
    if (keys.shared()) {
      scan.hash(key, page -> page.forEach(lines::read));
    } else {
      scan.zset(key, page -> page.forEach(line -> lines.read(line.getValue(), line.getScore())));
    }
  }

  private boolean exists(String key) {
    return redis.command(commands -> commands.exists(bytes(key))) > 0;
  }

  /**
   * Renames the program's keys and counts what they hold; empty if there are none. If the board
   * cannot be adopted, the keys get their names back.
   *
   * @throws AdoptionRefused if a key or a line is not what the board's file says
   */
  public Optional<Population> seal(Period period, Board board) {
    AdoptedKeys keys = AdoptedKeys.of(period, board);
    if (!exists(keys.mark())) {
      requireReadable(period, board, keys);
    }
    Optional<Long> entries = rename(period, keys);
    try {
      return entries.map(found -> count(period, board, keys, found));
    } catch (AdoptionRefused e) {
      throw returnKeys(keys)
          ? e
          : new AdoptionRefused(
              period,
              new AdoptionSentences.WrittenAgain(e.fault, keys.own().get(0), keys.sealed()));
    }
  }

  /**
   * Seals a board again whose seal Redis may have lost.
   *
   * @throws AdoptionRefused as {@link #seal} does; the keys do not get their names back then
   */
  public void sealAgain(Period period, Board board) {
    AdoptedKeys keys = AdoptedKeys.of(period, board);
    if (rename(period, keys).isPresent() && keys.shared()) {
      createLines(period, board, keys);
    }
  }

  /** Reads the board before its keys are renamed, so that an unreadable one is not changed. */
  private void requireReadable(Period period, Board board, AdoptedKeys keys) {
    for (int i = 0; i < keys.own().size(); i++) {
      String type = scan.type(keys.own().get(i));
      if (!type.equals("none") && !type.equals(keys.types().get(i))) {
        throw wrongType(period, keys.own().get(i), type);
      }
    }
    String key = keys.own().get(0);
    var lines = lines(period, board);
    read(keys, key, lines);
    lines.require(key);
  }

  private static AdoptionRefused wrongType(Period period, String key, String type) {
    return new AdoptionRefused(period, new AdoptionSentences.WrongType(key, type));
  }

  private Optional<Long> rename(Period period, AdoptedKeys keys) {
    List<byte[]> answer =
        redis.run(
            LiveScripts.SEAL_ADOPTED_BOARD,
            new ScriptCall(
                bytesOf(Stream.concat(Stream.of(keys.mark()), keys.pairs().stream())),
                bytesOf(Stream.concat(keys.types().stream(), Stream.of(period.label())))));
    if (answer.isEmpty()) {
      return Optional.empty();
    }
    String word = LiveBoards.text(answer.get(0));
    if (word.equals("wrong")) {
      throw wrongType(period, LiveBoards.text(answer.get(1)), LiveBoards.text(answer.get(2)));
    }
    if (word.equals("taken")) {
      throw new AdoptionRefused(
          period, new AdoptionSentences.Taken(LiveBoards.text(answer.get(1))));
    }
    return Optional.of(Long.parseLong(word));
  }

  /** Reads the whole sealed board, which may have changed since {@link #requireReadable}. */
  private Population count(Period period, Board board, AdoptedKeys keys, long entries) {
    if (keys.shared()) {
      createLines(period, board, keys);
    }
    var lines = lines(period, board);
    scan.zset(
        keys.lines(), page -> page.forEach(line -> lines.read(line.getValue(), line.getScore())));
    lines.require(keys.sealed());
    if (lines.members() != entries) {
      throw new AdoptionRefused(
          period, new AdoptionSentences.LinesChanged(keys.sealed(), lines.members(), entries));
    }
    return new Population(entries, lines.points(), 0);
  }

  /** Copies the hash of members to a new ZSET, which can be read by index. */
  private void createLines(Period period, Board board, AdoptedKeys keys) {
    redis.remove(keys.lines());
    var lines = lines(period, board);
    scan.hash(
        keys.sealed(),
        page ->
            zadd(
                keys.lines(),
                page.entrySet().stream()
                    .flatMap(entry -> lines.read(entry.getKey(), entry.getValue()).stream())
                    .map(AdoptedBoards::scored)
                    .toList()));
    lines.require(keys.sealed());
  }

  private static ScoredValue<byte[]> scored(MemberScore line) {
    return ScoredValue.just(line.points(), bytes(line.member()));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // Lettuce takes an array of a generic type
  private void zadd(String key, List<ScoredValue<byte[]>> lines) {
    if (!lines.isEmpty()) {
      redis.command(
          commands -> commands.zadd(bytes(key), lines.toArray(size -> new ScoredValue[size])));
    }
  }

  /** Gives the keys their names back; false, and no change, if the program has written new keys. */
  private boolean returnKeys(AdoptedKeys keys) {
    Stream<String> lines = Stream.of(keys.mark(), keys.lines());
    return redis
        .run(
            LiveScripts.RETURN_ADOPTED_BOARD,
            ScriptCall.on(bytesOf(Stream.concat(lines, keys.pairs().stream()))))
        .isEmpty();
  }

  /**
   * Deletes the sealed keys in slices; keys that the program wrote afterwards stay.
   *
   * @param heartbeat is run now and then; if it throws, the next call continues the deletion
   */
  public void delete(Period period, Board board, Runnable heartbeat) {
    removal.remove(AdoptedKeys.of(period, board).ours(), heartbeat);
  }

  private static byte[][] bytesOf(Stream<String> texts) {
    return texts.map(AdoptedKeys::bytes).toArray(byte[][]::new);
  }

  /** Reports that the keys of an adopted board do not hold what its file says. */
  public static final class AdoptionRefused extends Refusal {
    private final transient Sentence fault;

    AdoptionRefused(Period period, Sentence fault) {
      super(Problem.WRONG_STATE, new AdoptionSentences.Refused(period.label(), fault));
      this.fault = fault;
    }
  }
}
