package palmares.settlement.closing;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.live.board.AdoptedBoards;
import palmares.live.board.LiveBoards;
import palmares.period.DuePeriods;
import palmares.settlement.verification.Verification;

/**
 * Lets live keys leave Redis: after the retention, only if the period verifies, and never while an
 * amendment of it waits. The period stays settled until the last key is gone; an attempt that
 * breaks off is finished by the next.
 */
@Component
class Expiry {
  private final StateSteps stateSteps;
  private final LiveBoards live;
  private final AdoptedBoards adopted;
  private final LateWriteCheck lateWrites;
  private final Verification verification;
  private final DuePeriods duePeriods;

  Expiry(
      StateSteps stateSteps,
      LiveBoards live,
      AdoptedBoards adopted,
      LateWriteCheck lateWrites,
      Verification verification,
      DuePeriods duePeriods) {
    this.stateSteps = stateSteps;
    this.live = live;
    this.adopted = adopted;
    this.lateWrites = lateWrites;
    this.verification = verification;
    this.duePeriods = duePeriods;
  }

  /**
   * Removes the keys of one period.
   *
   * @param verified whether its caller has verified the period since it took the lease
   * @return whether the keys are gone now; if not, it is not time yet
   */
  boolean expire(Closing closing, boolean verified) {
    if (!duePeriods.isExpirable(closing.period().id())) {
      return false;
    }
    lateWrites.look(closing);
    if (!verified) {
      stateSteps.within(
          closing, () -> verification.verify(List.of(closing.period().id())).require());
    }
    drop(closing, () -> stateSteps.renew(closing));
    stateSteps.expire(closing);
    return true;
  }

  /** Outside of a transaction: a board of millions takes its time. */
  private void drop(Closing closing, Runnable meanwhile) {
    meanwhile.run();
    if (closing.board().adoption() == null) {
      live.delete(closing.period(), meanwhile);
    } else {
      adopted.delete(closing.period(), closing.board(), meanwhile);
    }
  }
}
