package palmares.cli;

import java.util.concurrent.Callable;
import palmares.cli.terminal.UserError;
import palmares.operations.amendment.AmendmentRefused;
import palmares.operations.lateevents.LateEventRefused;
import palmares.period.PeriodBusy;
import palmares.period.WrongState;
import palmares.settlement.outcome.SamePersonRefused;
import palmares.settlement.reward.AwardsTooLarge;
import palmares.settlement.reward.TiesRefused;
import palmares.settlement.verification.VerificationFailed;

/** Turns what the domain refuses into what a person reads, and into the right exit code. */
final class RefusalMessages {
  private RefusalMessages() {}

  static int of(Callable<Integer> work) throws Exception {
    try {
      return work.call();
    } catch (AmendmentRefused
        | LateEventRefused
        | WrongState
        | SamePersonRefused
        | TiesRefused
        | AwardsTooLarge e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    } catch (PeriodBusy | VerificationFailed e) {
      throw UserError.failed(e.getMessage() + "; nothing was changed");
    }
  }
}
