package palmares.rules.adoption;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.rules.calendar.Slot;

/**
 * What a time that is left counts down to.
 *
 * @param fixed the same instant for every period; null if each has its own
 * @param afterEnd how long after each period's end, if there is no fixed one; negative if before
 */
public record Deadline(@Nullable Instant fixed, Duration afterEnd) {
  /** The period's own end. */
  public static final Deadline END = after(Duration.ZERO);

  /** So long after each period's end. */
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
