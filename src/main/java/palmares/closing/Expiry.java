package palmares.closing;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.audit.Verification;
import palmares.live.AdoptedBoards;
import palmares.live.LiveBoards;
import palmares.period.Agenda;

/**
 * Lets live keys leave Redis: after the retention, only if the period verifies, and never while an
 * amendment of it waits. The period stays settled until the last key is gone; an attempt that
 * breaks off is finished by the next.
 */
@Component
class Expiry {
  private final Stages stages;
  private final LiveBoards live;
  private final AdoptedBoards adopted;
  private final LateWrites lateWrites;
  private final Verification verification;
  private final Agenda agenda;

  Expiry(
      Stages stages,
      LiveBoards live,
      AdoptedBoards adopted,
      LateWrites lateWrites,
      Verification verification,
      Agenda agenda) {
    this.stages = stages;
    this.live = live;
    this.adopted = adopted;
    this.lateWrites = lateWrites;
    this.verification = verification;
    this.agenda = agenda;
  }

  /**
   * Removes the keys of one period.
   *
   * @param verified whether its caller has verified the period since it took the lease
   * @return whether the keys are gone now; if not, it is not time yet
   */
  boolean expire(Closing closing, boolean verified) {
    if (!agenda.mayExpire(closing.period().id())) {
      return false;
    }
    lateWrites.look(closing);
    if (!verified) {
      stages.within(closing, () -> verification.verify(List.of(closing.period().id())).require());
    }
    drop(closing, () -> stages.renew(closing));
    stages.expire(closing);
    return true;
  }

  /** Outside of a transaction: a board of millions takes its time. */
  private void drop(Closing closing, Runnable meanwhile) {
    meanwhile.run();
    if (closing.board().adoption() == null) {
      live.drop(closing.period(), meanwhile);
    } else {
      adopted.drop(closing.period(), closing.board(), meanwhile);
    }
  }
}
