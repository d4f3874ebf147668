package palmares.operations.forgetting;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.platform.redis.KeyScan;
import palmares.platform.redis.RedisClient;
import tools.jackson.databind.json.JsonMapper;

/** Removes the answers that Redis keeps for a day, to repeat them to repeated requests. */
@Component
class StoredAnswers {
  private static final String KEYS = "palmares:answer:*";
  private static final JsonMapper JSON = JsonMapper.shared();

  private final KeyScan scan;
  private final RedisClient redis;

  StoredAnswers(KeyScan scan, RedisClient redis) {
    this.scan = scan;
    this.redis = redis;
  }

  /**
   * Removes the answers that contain a text, as it is or escaped in JSON. The repeat of such a
   * request is processed again.
   */
  void remove(String text) {
    String quoted = JSON.writeValueAsString(text);
    List<String> encodings = List.of(text, quoted.substring(1, quoted.length() - 1));
    scan.keys(
        KEYS, keys -> keys.stream().filter(key -> contains(key, encodings)).forEach(redis::remove));
  }

  private boolean contains(String key, List<String> encodings) {
    var found = new boolean[] {isIn(key, encodings)};
    scan.hash(
        key,
        fields ->
            fields
                .values()
                .forEach(value -> found[0] |= isIn(new String(value, UTF_8), encodings)));
    return found[0];
  }

  private static boolean isIn(String text, List<String> encodings) {
    return encodings.stream().anyMatch(text::contains);
  }
}
