package palmares.operations.memory;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.board.AdoptedKeys;
import palmares.live.board.LiveBoards;
import palmares.live.board.LiveKeys;
import palmares.period.Period;
import palmares.platform.redis.KeyScan;
import palmares.platform.redis.RedisClient;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** Measures the keys of Palmares in Redis, page by page, so that other commands run in between. */
@Component
public class RedisMemory {
  private final RedisClient redis;
  private final KeyScan scan;
  private final LiveBoards boards;

  RedisMemory(RedisClient redis, KeyScan scan, LiveBoards boards) {
    this.redis = redis;
    this.scan = scan;
    this.boards = boards;
  }

  /**
   * A key and its size.
   *
   * @param board the board whose live board the key is of; null for any other key
   * @param period the period of that live board; null for any other key
   * @param part the key of the live board, such as {@code board}; else the prefix of the name
   * @param pendingDeletion whether its deletion is pending
   * @param members the number of members if the key is the board; else 0
   * @param bytes the approximate size
   */
  public record Key(
      String name,
      @Nullable BoardId board,
      @Nullable PeriodName period,
      String part,
      boolean pendingDeletion,
      long members,
      long bytes) {}

  /** The bytes that the server, or the cluster, reports as used. */
  public long used() {
    return redis.info("memory", "used_memory");
  }

  /**
   * Measures every key of Palmares, except those of adopted boards.
   *
   * @param samples the number of entries by which a key's size is estimated; 0 for all entries
   */
  public void scan(int samples, Consumer<Key> found) {
    scan.keys("palmares:*", page -> measure(page, samples, this::key).forEach(found));
  }

  /** Measures those of the keys that still exist. */
  private List<Key> measure(List<String> names, int samples, BiFunction<String, Long, Key> key) {
    List<Optional<Long>> bytes = scan.bytes(names, samples);
    var measured = new ArrayList<Key>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      bytes.get(i).ifPresent(taken -> measured.add(key.apply(name, taken)));
    }
    return measured;
  }

  private Key key(String name, long bytes) {
    Optional<LiveKeys.Owned> owned = LiveKeys.owner(name);
    if (owned.isEmpty()) {
      return new Key(name, null, null, prefix(name), false, 0, bytes);
    }
    LiveKeys keys = owned.get().keys();
    String part = owned.get().part();
    long members = part.equals("board") ? scan.entries(name) : 0;
    return new Key(
        name, keys.board(), keys.period(), part, owned.get().pendingDeletion(), members, bytes);
  }

  /** The name up to the second colon, such as {@code palmares:answer}. */
  private static String prefix(String name) {
    int end = name.indexOf(':', "palmares:".length());
    return end < 0 ? name : name.substring(0, end);
  }

  /** An adopted board's keys: those that its program writes, and those that were sealed. */
  public List<Key> adopted(Period period, Board board, int samples) {
    AdoptedKeys keys = AdoptedKeys.of(period, board);
    Stream<String> ours = Stream.of(keys.ours()).map(key -> new String(key, UTF_8));
    return measure(
        Stream.concat(keys.own().stream(), ours).toList(),
        samples,
        (name, bytes) -> {
          boolean lines = name.equals(keys.lines()) || name.equals(keys.own().get(0));
          String part = keys.own().contains(name) ? "program" : "sealed";
          long members = lines ? scan.entries(name) : 0;
          return new Key(name, period.board(), period.name(), part, false, members, bytes);
        });
  }

  /** Removes every key of a live board, slice by slice. */
  public void remove(BoardId board, PeriodName period) {
    boards.delete(new LiveKeys(board, period), () -> {});
  }
}
