package palmares.platform.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.MapScanCursor;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/**
 * Reads big keys, and the list of keys, page by page, so that Redis serves others in between. Reads
 * each entry exactly once only while nobody writes to the key.
 */
@Component
public class KeyScan {
  private static final int PAGE_ENTRIES = 10_000;
  private static final int COMMAND_ENTRIES = 1_000;
  private static final int PAGE_KEYS = 1_000;

  private final RedisClient redis;

  KeyScan(RedisClient redis) {
    this.redis = redis;
  }

  /** Passes on every page of a ZSET, lowest score first. */
  public void zset(String key, Consumer<List<ScoredValue<byte[]>>> page) {
    List<ScoredValue<byte[]>> found;
    long from = 0;
    do {
      found = zset(key.getBytes(UTF_8), from, PAGE_ENTRIES);
      page.accept(found);
      from += PAGE_ENTRIES;
    } while (found.size() == PAGE_ENTRIES);
  }

  /** Returns entries of a ZSET from an index on, lowest score first. */
  public List<ScoredValue<byte[]>> zset(byte[] key, long from, int count) {
    return range(
        from,
        count,
        (commands, range) -> commands.zrangeWithScores(key, range.start(), range.end()));
  }

  /** Returns entries of a ZSET from an index on, highest score first. */
  public List<ScoredValue<byte[]>> fromTop(byte[] key, long from, int count) {
    return range(
        from,
        count,
        (commands, range) -> commands.zrevrangeWithScores(key, range.start(), range.end()));
  }

  private record Range(long start, long end) {}

  /** Sends several short commands at once, so that no single one blocks Redis for long. */
  private List<ScoredValue<byte[]>> range(
      long from,
      int count,
      BiFunction<
              RedisClusterAsyncCommands<byte[], byte[]>,
              Range,
              RedisFuture<List<ScoredValue<byte[]>>>>
          command) {
    var ranges = new ArrayList<Range>();
    for (long start = from; start < from + count; start += COMMAND_ENTRIES) {
      ranges.add(new Range(start, Math.min(start + COMMAND_ENTRIES, from + count) - 1));
    }
    return redis.each(ranges, command).stream().flatMap(List::stream).toList();
  }

  /** Passes on every page of a hash; an entry may be passed on twice. */
  public void hash(String key, Consumer<Map<byte[], byte[]>> page) {
    hash(key.getBytes(UTF_8), page);
  }

  /** Passes on every page of a hash; an entry may be passed on twice. */
  public void hash(byte[] key, Consumer<Map<byte[], byte[]>> page) {
    ScanCursor at = ScanCursor.INITIAL;
    do {
      ScanCursor from = at;
      MapScanCursor<byte[], byte[]> found =
          redis.command(
              commands -> commands.hscan(key, from, ScanArgs.Builder.limit(PAGE_ENTRIES)));
      page.accept(found.getMap());
      at = found;
    } while (!at.isFinished());
  }

  /**
   * Passes on every page of the keys that match a pattern of SCAN; a key may be passed on twice.
   */
  public void keys(String pattern, Consumer<List<String>> page) {
    ScanCursor at = ScanCursor.INITIAL;
    do {
      ScanCursor from = at;
      KeyScanCursor<byte[]> found =
          redis.command(
              commands -> commands.scan(from, ScanArgs.Builder.matches(pattern).limit(PAGE_KEYS)));
      page.accept(found.getKeys().stream().map(key -> new String(key, UTF_8)).toList());
      at = found;
    } while (!at.isFinished());
  }

  /**
   * Estimates the bytes that each key takes; empty for a key that does not exist.
   *
   * @param samples how many entries of a key the estimate is based on; 0 for all of them
   */
  public List<Optional<Long>> bytes(List<String> keys, int samples) {
    return redis
        .each(
            keys,
            (commands, key) ->
                commands.dispatch(
                    CommandType.MEMORY,
                    new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                    new CommandArgs<>(ByteArrayCodec.INSTANCE)
                        .add("USAGE")
                        .addKey(key.getBytes(UTF_8))
                        .add("SAMPLES")
                        .add(samples)))
        .stream()
        .map(Optional::ofNullable)
        .toList();
  }

  /** Returns the type of a key; {@code none} if it does not exist. */
  public String type(String key) {
    return redis.command(commands -> commands.type(key.getBytes(UTF_8)));
  }

  /** Counts the entries of a ZSET or hash; 0 if the key does not exist, 1 for other types. */
  public long entries(String key) {
    return switch (type(key)) {
      case "none" -> 0;
      case "zset" -> redis.command(commands -> commands.zcard(key.getBytes(UTF_8)));
      case "hash" -> redis.command(commands -> commands.hlen(key.getBytes(UTF_8)));
      default -> 1;
    };
  }
}
