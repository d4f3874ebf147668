package palmares.api.http;

import org.jspecify.annotations.Nullable;
import palmares.live.board.JournalEntry.Undecodable;
import palmares.live.journal.JournalGap;
import palmares.live.journal.JournalQuarantined;
import palmares.operations.archive.ArchiveRefused;
import palmares.operations.forgetting.ForgettingIncomplete;
import palmares.operations.lateevents.LateEventRefused;
import palmares.operations.rebuild.LossRefused;
import palmares.operations.rebuild.ReplayDiffers;
import palmares.period.PeriodBusy;
import palmares.period.StaleLease;
import palmares.period.WrongState;
import palmares.settlement.outcome.LocalApprovalRefused;
import palmares.settlement.outcome.SamePersonRefused;
import palmares.settlement.reward.AwardsTooLarge;
import palmares.settlement.reward.TiesRefused;
import palmares.settlement.verification.VerificationFailed;

/** Turns what the services refuse into problems, the same over HTTP and on the command line. */
public final class Refusals {
  private Refusals() {}

  /** The problem of a refusal; null for bugs and outages. */
  public static @Nullable ProblemException of(Throwable e) {
    if (e instanceof ProblemException known) {
      return known;
    }
    Problem problem = problem(e);
    return problem == null ? null : new ProblemException(problem, String.valueOf(e.getMessage()));
  }

  private static @Nullable Problem problem(Throwable e) {
    if (e instanceof PeriodBusy || e instanceof StaleLease) {
      return Problem.PERIOD_BUSY;
    }
    if (e instanceof ForgettingIncomplete) {
      return Problem.FORGETTING_INCOMPLETE;
    }
    if (e instanceof VerificationFailed) {
      return Problem.NOT_VERIFIED;
    }
    if (e instanceof SamePersonRefused || e instanceof LocalApprovalRefused) {
      return Problem.SAME_PERSON;
    }
    if (e instanceof JournalGap
        || e instanceof JournalQuarantined
        || e instanceof Undecodable
        || e instanceof ReplayDiffers
        || e instanceof LossRefused) {
      return Problem.EVENTS_MISSING;
    }
    return e instanceof WrongState
            || e instanceof ArchiveRefused
            || e instanceof AwardsTooLarge
            || e instanceof LateEventRefused
            || e instanceof TiesRefused
        ? Problem.WRONG_STATE
        : null;
  }
}
