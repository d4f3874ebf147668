package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;

/**
 * Removes keys of any size without holding up anybody: renamed first, so that nobody reads what is
 * half gone, then taken away in slices. One that broke off is finished by the next.
 */
@Component
class KeyRemoval {
  /** How many entries a single command takes away at the most: about a millisecond's work. */
  static final int SLICE = 1_000;

  /** What a key's name ends with that is being removed; its hash tag stays. */
  static final String DOOMED = ":doomed";

  private static final int SLICES_BETWEEN_PULSES = 100;

  private final RedisClient redis;

  KeyRemoval(RedisClient redis) {
    this.redis = redis;
  }

  /**
   * @param keys all with one hash tag
   * @param meanwhile is run each hundred thousand entries or so
   */
  void remove(byte[][] keys, Runnable meanwhile) {
    List<byte[]> doomed = doom(keys);
    while (!doomed.isEmpty()) {
      doomed.forEach(key -> empty(key, meanwhile));
      doomed = doom(keys);
    }
  }

  /** Renames what is there, and answers what is to be taken away. */
  List<byte[]> doom(byte[][] keys) {
    var pairs = new byte[keys.length * 2][];
    for (int i = 0; i < keys.length; i++) {
      pairs[2 * i] = keys[i];
      pairs[2 * i + 1] = doomed(keys[i]);
    }
    return redis.run(LiveScripts.DOOM, new ScriptCall(pairs, new byte[0][]));
  }

  private void empty(byte[] key, Runnable meanwhile) {
    String cursor = "0";
    for (int slices = 1; !cursor.isEmpty(); slices++) {
      cursor = slice(key, cursor);
      if (slices % SLICES_BETWEEN_PULSES == 0) {
        meanwhile.run();
      }
    }
  }

  /**
   * Takes a slice away.
   *
   * @param cursor as the last slice answered it; {@code 0} for the first
   * @return the cursor of the next slice; empty once the key is gone
   */
  String slice(byte[] doomed, String cursor) {
    List<byte[]> answer =
        redis.run(
            LiveScripts.SLICE,
            new ScriptCall(new byte[][] {doomed}, ScriptCall.arguments(SLICE + "", cursor)));
    return answer.isEmpty() ? "" : LiveBoards.text(answer.get(0));
  }

  static byte[] doomed(byte[] key) {
    return (new String(key, UTF_8) + DOOMED).getBytes(UTF_8);
  }
}
