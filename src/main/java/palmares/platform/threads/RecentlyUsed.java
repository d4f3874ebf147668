package palmares.platform.threads;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Creates maps that several threads use, and that keep a bounded number of entries. */
public final class RecentlyUsed {
  private RecentlyUsed() {}

  /**
   * Returns a thread-safe map that drops the entry that was not used for the longest time if it has
   * more than {@code maxEntries}. Nobody can make it drop an entry that is in use, except by more
   * entries than it holds.
   */
  public static <K, V> Map<K, V> map(int maxEntries) {
    return Collections.synchronizedMap(
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > maxEntries;
          }
        });
  }
}
