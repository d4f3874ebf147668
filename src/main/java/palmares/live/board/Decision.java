package palmares.live.board;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a change.
 *
 * @param change the points that it gave, or took if negative
 * @param points the member's points after it
 * @param occurredAt the time that it counts by
 * @param first for a duplicate, the verdict on the first event of this id
 */
public record Decision(
    Verdict verdict, long change, long points, Instant occurredAt, @Nullable Verdict first) {

  /** What a live board that is gone for good would have answered. */
  public static Decision late(Instant occurredAt) {
    return new Decision(Verdict.LATE, 0, 0, occurredAt, null);
  }
}
