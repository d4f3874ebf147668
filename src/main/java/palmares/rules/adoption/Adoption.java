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

  /**
   * Whether scores count down to a time before an end that the program does not know.
   *
   * @param slot as the program knows it
   */
  public boolean countsDownBefore(Instant end, Slot slot) {
    return encoding.countsDown() && deadline.of(slot).isBefore(end);
  }

  /**
   * The times at which changes of a period can have happened.
   *
   * @param slot as the program knows it
   * @param end of the period, if it is later than the program knows
   */
  public ChangeWindow window(Slot slot, Instant end, Duration grace) {
    Instant last = end.isAfter(slot.endsAt()) ? end : slot.endsAt();
    return new ChangeWindow(slot.startsAt(), last.plus(grace), deadline.of(slot));
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
