package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.XAddArgs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** A stream for others to read, beside the live boards. */
@Component
public class FactStream {
  private final RedisClient redis;

  FactStream(RedisClient redis) {
    this.redis = redis;
  }

  /**
   * Appends entries in this order; all of them, or throws, and some may be there then.
   *
   * @param maxLength about how many entries the stream keeps
   */
  public void append(String key, long maxLength, List<Map<String, String>> entries) {
    byte[] name = key.getBytes(UTF_8);
    redis.each(
        entries,
        (commands, entry) ->
            commands.xadd(
                name, XAddArgs.Builder.maxlen(maxLength).approximateTrimming(), bytes(entry)));
  }

  private static Map<byte[], byte[]> bytes(Map<String, String> entry) {
    var bytes = new LinkedHashMap<byte[], byte[]>();
    entry.forEach((field, value) -> bytes.put(field.getBytes(UTF_8), value.getBytes(UTF_8)));
    return bytes;
  }
}
