package palmares.operations.forgetting;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.springframework.stereotype.Component;
import palmares.platform.redis.KeyScan;
import palmares.platform.redis.RedisClient;

/** Removes the answers that Redis keeps for a day, to repeat them to repeated requests. */
@Component
class StoredAnswers {
  private static final String KEYS = "palmares:answer:*";

  private final KeyScan scan;
  private final RedisClient redis;

  StoredAnswers(KeyScan scan, RedisClient redis) {
    this.scan = scan;
    this.redis = redis;
  }

  /** Removes the answers that contain a text. The repeat of such a request is processed again. */
  void remove(String text) {
    scan.keys(
        KEYS, keys -> keys.stream().filter(key -> contains(key, text)).forEach(redis::remove));
  }

  private boolean contains(String key, String text) {
    var found = new boolean[] {key.contains(text)};
    scan.hash(
        key,
        fields ->
            fields.values().forEach(value -> found[0] |= new String(value, UTF_8).contains(text)));
    return found[0];
  }
}
