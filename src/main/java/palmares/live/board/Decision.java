package palmares.live.board;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a live board on an event.
 *
 * @param change the points that the event gave, or took back if negative
 * @param points the member's points after it
 * @param occurredAt the time that the event counts by
 * @param first for a duplicate, the verdict on the first event with this id; else null
 */
public record Decision(
    Verdict verdict, long change, long points, Instant occurredAt, @Nullable Verdict first) {
  /** Returns the decision on an event that came after its period was sealed. */
  public static Decision late(Instant occurredAt) {
    return new Decision(Verdict.LATE, 0, 0, occurredAt, null);
  }

  /** Returns the verdict, for a duplicate that on the first event. */
  public Verdict originalVerdict() {
    return verdict == Verdict.DUPLICATE && first != null ? first : verdict;
  }
}
