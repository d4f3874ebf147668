package palmares.rules.adoption;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
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

  /** The keys of a period. */
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
}
