package palmares.operations.lateevents;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of one member's line, by a late event or by hand.
 *
 * @param n its number in the revision, from 1; an amendment keeps the numbers of its base
 * @param eventId the late event; null if points were corrected by hand
 * @param points the points to add; on a board that takes values, the late event's value
 * @param thenBy the second key to add; on a board that takes values, that of the late event
 * @param at when the late event happened; for points by hand, the time of a member who had no line,
 *     or null for others, who keep their time
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
