package palmares.live.board;

import io.lettuce.core.MapScanCursor;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/** Reads big keys page by page; whole and once each only where nothing moves any more. */
@Component
class KeyScan {
  private static final int SIZE = 10_000;
  private static final int SHORT = 1_000;

  private final RedisClient redis;

  KeyScan(RedisClient redis) {
    this.redis = redis;
  }

  /** Every page of a ZSET, by index. */
  void zset(String key, Consumer<List<ScoredValue<byte[]>>> page) {
    List<ScoredValue<byte[]>> found;
    long from = 0;
    do {
      found = zset(AdoptedKeys.bytes(key), from, SIZE);
      page.accept(found);
      from += SIZE;
    } while (found.size() == SIZE);
  }

  /** Those from one index on, the lowest score first. */
  List<ScoredValue<byte[]>> zset(byte[] key, long from, int count) {
    return range(
        from,
        count,
        (commands, range) -> commands.zrangeWithScores(key, range.start(), range.end()));
  }

  /** Those from one index on, the highest score first. */
  List<ScoredValue<byte[]>> fromTop(byte[] key, long from, int count) {
    return range(
        from,
        count,
        (commands, range) -> commands.zrevrangeWithScores(key, range.start(), range.end()));
  }

  private record Range(long start, long end) {}

  /** By short commands that are sent at once, so that nobody waits for one of them long. */
  private List<ScoredValue<byte[]>> range(
      long from,
      int count,
      BiFunction<
              RedisClusterAsyncCommands<byte[], byte[]>,
              Range,
              RedisFuture<List<ScoredValue<byte[]>>>>
          command) {
    var ranges = new ArrayList<Range>();
    for (long start = from; start < from + count; start += SHORT) {
      ranges.add(new Range(start, Math.min(start + SHORT, from + count) - 1));
    }
    return redis.each(ranges, command).stream().flatMap(List::stream).toList();
  }

  /** Every page of a hash; an entry may come twice. */
  void hash(String key, Consumer<Map<byte[], byte[]>> page) {
    hash(AdoptedKeys.bytes(key), page);
  }

  /** As {@link #hash(String, Consumer)}. */
  void hash(byte[] key, Consumer<Map<byte[], byte[]>> page) {
    ScanCursor at = ScanCursor.INITIAL;
    do {
      ScanCursor from = at;
      MapScanCursor<byte[], byte[]> found =
          redis.command(commands -> commands.hscan(key, from, ScanArgs.Builder.limit(SIZE)));
      page.accept(found.getMap());
      at = found;
    } while (!at.isFinished());
  }

  /** The type of a key; {@code none} if it is not there. */
  String type(String key) {
    return redis.command(commands -> commands.type(AdoptedKeys.bytes(key)));
  }

  /** How many entries a key has; 1 if it is of a type that has none. */
  long entries(String key) {
    return switch (type(key)) {
      case "none" -> 0;
      case "zset" -> redis.command(commands -> commands.zcard(AdoptedKeys.bytes(key)));
      case "hash" -> redis.command(commands -> commands.hlen(AdoptedKeys.bytes(key)));
      default -> 1;
    };
  }
}
