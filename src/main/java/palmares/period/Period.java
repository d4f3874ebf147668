package palmares.period;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.Slot;

/**
 * One period of a board, as read from its row.
 *
 * @param closesAt its end plus grace, when it becomes due; null if it never closes
 * @param definitionHash identifies the rules that it closes under
 * @param revision the current revision; 1 until an amendment is posted
 * @param population counts at the seal, or after a later rebuild; null while it is open
 * @param expiresAt when its live keys may be removed from Redis
 */
public record Period(
    PeriodId id,
    BoardId board,
    Slot slot,
    @Nullable Instant closesAt,
    String definitionHash,
    PeriodState state,
    int revision,
    @Nullable Population population,
    Instant expiresAt) {
  public PeriodName name() {
    return slot.name();
  }

  /** Whether its end and grace have passed, so that it may be sealed. */
  public boolean isOver(Instant now) {
    return closesAt != null && !now.isBefore(closesAt);
  }

  /** The word that people are shown for its state. */
  public String shownState(Instant now) {
    return state.shownWord(slot.startsAt(), now);
  }

  /** Board and name as in messages: {@code invites 2026-W47}. */
  public String label() {
    return board + " " + name();
  }
}
