package palmares.rules.adoption;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.rules.calendar.Slot;

/**
 * Says how Palmares reads a board that another program writes into Redis.
 *
 * @param keys one; or those of {@link Encoding.SharedRank}: members, counts, scores
 * @param encoding of the scores
 * @param deadline of the countdown in the scores
 */
public record Adoption(List<KeyPattern> keys, Encoding encoding, Deadline deadline) {
  public Adoption {
    keys = List.copyOf(keys);
  }

  public List<String> keys(Slot slot, ZoneId zone) {
    return keys.stream().map(key -> key.key(slot, zone)).toList();
  }

  /** Whether the countdown of the window fits into a score. */
  public boolean holds(ChangeWindow window) {
    return encoding.holds(Duration.between(window.from(), window.deadline()));
  }

  /** The times at which changes of a period can have happened. */
  public ChangeWindow window(Slot slot, Duration grace) {
    return new ChangeWindow(slot.startsAt(), slot.endsAt().plus(grace), deadline.of(slot));
  }

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
}
