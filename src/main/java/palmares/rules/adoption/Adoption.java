package palmares.rules.adoption;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import palmares.rules.calendar.Slot;

/**
 * How a board that a team's own program writes is taken over at the end of each period.
 *
 * @param keys one; or those of {@link SharedRank}: members, counts, scores
 * @param encoding how points and time stand in a score
 * @param deadline what a time that is left counts down to
 */
public record Adoption(List<KeyPattern> keys, Encoding encoding, Deadline deadline) {

  public Adoption {
    keys = List.copyOf(keys);
  }

  /** The keys of a period of the program's calendar. */
  public List<String> keys(Slot slot, ZoneId zone) {
    return keys.stream().map(key -> key.key(slot, zone)).toList();
  }

  /** Whether the room for the time that is left holds that of the window. */
  public boolean holds(ChangeWindow window) {
    return encoding.holds(Duration.between(window.from(), window.deadline()));
  }

  /** When the changes of a period can have happened. */
  public ChangeWindow window(Slot slot, Duration grace) {
    return new ChangeWindow(slot.startsAt(), slot.endsAt().plus(grace), deadline.of(slot));
  }
}
