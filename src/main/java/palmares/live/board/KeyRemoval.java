package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;

/**
 * Deletes keys of any size without blocking Redis. Keys are renamed first, so that nobody reads a
 * partly deleted one, and then deleted in slices. The next call continues an interrupted deletion.
 */
@Component
class KeyRemoval {
  /** The largest number of entries that one command deletes, in about a millisecond. */
  static final int SLICE_ENTRIES = 1_000;

  /**
   * The suffix of keys that are pending deletion. Its value may not change: Redis keeps such keys.
   */
  static final String PENDING_DELETION = ":pending-deletion";

  private static final int SLICES_PER_HEARTBEAT = 100;

  private final RedisClient redis;

  KeyRemoval(RedisClient redis) {
    this.redis = redis;
  }

  /**
   * Deletes the keys.
   *
   * @param keys all with one hash tag
   * @param heartbeat is run about every hundred thousand entries
   */
  void remove(byte[][] keys, Runnable heartbeat) {
    List<byte[]> pending = markForDeletion(keys);
    while (!pending.isEmpty()) {
      pending.forEach(key -> delete(key, heartbeat));
      pending = markForDeletion(keys);
    }
  }

  /** Renames the keys that exist, and returns the names of all keys pending deletion. */
  List<byte[]> markForDeletion(byte[][] keys) {
    var pairs = new byte[keys.length * 2][];
    for (int i = 0; i < keys.length; i++) {
      pairs[2 * i] = keys[i];
      pairs[2 * i + 1] = pendingDeletion(keys[i]);
    }
    return redis.run(LiveScripts.MARK_FOR_DELETION, ScriptCall.on(pairs));
  }

  private void delete(byte[] key, Runnable heartbeat) {
    String cursor = "0";
    for (int slices = 1; !cursor.isEmpty(); slices++) {
      cursor = deleteSlice(key, cursor);
      if (slices % SLICES_PER_HEARTBEAT == 0) {
        heartbeat.run();
      }
    }
  }

  /**
   * Deletes a slice of a key's entries.
   *
   * @param cursor the result of the previous call; {@code 0} for the first
   * @return the cursor of the next slice; empty once the key is gone
   */
  String deleteSlice(byte[] key, String cursor) {
    List<byte[]> answer =
        redis.run(LiveScripts.DELETE_SLICE, ScriptCall.on(key).with(SLICE_ENTRIES + "", cursor));
    return answer.isEmpty() ? "" : LiveBoards.text(answer.get(0));
  }

  static byte[] pendingDeletion(byte[] key) {
    return (new String(key, UTF_8) + PENDING_DELETION).getBytes(UTF_8);
  }
}
