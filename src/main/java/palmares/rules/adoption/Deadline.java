package palmares.rules.adoption;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.rules.calendar.Slot;

/**
 * The time to which the countdown in a score runs.
 *
 * @param fixed the same for every period; null if it is relative to each period's end
 * @param afterEnd the distance from each period's end, if it is relative; negative if before it
 */
public record Deadline(@Nullable Instant fixed, Duration afterEnd) {
  /** The end of each period. */
  public static final Deadline END = after(Duration.ZERO);

  /** Relative to each period's end. */
  public static Deadline after(Duration afterEnd) {
    return new Deadline(null, afterEnd);
  }

  /** The same for every period. */
  public static Deadline at(Instant fixed) {
    return new Deadline(fixed, Duration.ZERO);
  }

  Instant of(Slot slot) {
    return fixed == null ? slot.endsAt().plus(afterEnd) : fixed;
  }
}
