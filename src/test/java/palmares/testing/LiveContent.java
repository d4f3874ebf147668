package palmares.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.connection.RedisConnection;
import palmares.live.board.LiveKeys;
import palmares.period.Period;

/**
 * All that Redis holds of a live board but its journal and how far that is drained, bit by bit.
 *
 * @param keys what each key holds: sets of scores as Redis dumps them, hashes by field
 */
public record LiveContent(Map<String, Object> keys) {

  public static LiveContent of(Servers servers, Period period) {
    return servers.redis(connection -> new LiveContent(read(connection, period)));
  }

  private static Map<String, Object> read(RedisConnection connection, Period period) {
    var content = new TreeMap<String, Object>();
    for (byte[] key : keys(connection, period)) {
      String name = new String(key, UTF_8);
      String part = name.substring(name.lastIndexOf(':') + 1);
      if (!part.equals("journal")) {
        content.put(part, read(connection, key));
      }
    }
    return content;
  }

  private static Iterable<byte[]> keys(RedisConnection connection, Period period) {
    String pattern = LiveKeys.of(period).name("*");
    return Objects.requireNonNull(connection.keyCommands().keys(pattern.getBytes(UTF_8)));
  }

  private static Object read(RedisConnection connection, byte[] key) {
    if (connection.keyCommands().type(key) == DataType.HASH) {
      return Objects.requireNonNull(connection.hashCommands().hGetAll(key)).entrySet().stream()
          .filter(field -> !"drained".equals(new String(field.getKey(), UTF_8)))
          .collect(
              Collectors.toMap(
                  field -> new String(field.getKey(), UTF_8),
                  field -> new String(field.getValue(), UTF_8),
                  (one, other) -> one,
                  TreeMap::new));
    }
    return HexFormat.of().formatHex(connection.keyCommands().dump(key));
  }
}
