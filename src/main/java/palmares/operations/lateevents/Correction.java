package palmares.operations.lateevents;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One reason why a member's line is another than the snapshot's.
 *
 * @param n its number in its revision, from 1; an amendment has those of its base under the same
 *     numbers
 * @param eventId of the late event; null for points put right by hand
 * @param points what it adds; of a late event on a board that takes values, its value
 * @param thenBy what it adds of the second key; of a late event on a board that takes values, what
 *     comes with its value
 * @param at when the late event happened; of points put right by hand, when a member who had no
 *     line came to hold them, and null for others, who keep their time
 */
record Correction(
    int n,
    String member,
    @Nullable String eventId,
    long points,
    long thenBy,
    @Nullable Instant at) {

  boolean byHand() {
    return eventId == null;
  }
}
