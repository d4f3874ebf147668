package palmares.period;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.Slot;

/**
 * One run of a board's calendar, as its row stands.
 *
 * @param closesAt its end and grace, from when on it is due; null if it never closes
 * @param definitionHash the rules that it closes under
 * @param revision the one that stands, or would: 1 until an amendment is posted
 * @param population what it closes with: what it held at the seal, or what a rebuild since then
 *     made of it; null while it is open
 * @param expiresAt when its live keys may leave Redis
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

  /** Whether its end and its grace lie before that time, so that it may be sealed. */
  public boolean isOver(Instant now) {
    return closesAt != null && !now.isBefore(closesAt);
  }

  /** As messages name it: {@code invites 2026-W47}. */
  public String label() {
    return board + " " + name();
  }
}
