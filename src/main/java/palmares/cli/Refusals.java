package palmares.cli;

import java.util.concurrent.Callable;
import palmares.amendment.AmendmentRefused;
import palmares.audit.NotVerified;
import palmares.cli.terminal.Complaint;
import palmares.correction.Uncorrectable;
import palmares.period.PeriodBusy;
import palmares.period.WrongState;
import palmares.revision.SamePerson;
import palmares.reward.AwardsTooLarge;
import palmares.reward.TiesRefused;

/** Turns what the domain refuses into what a person reads, and into the right exit code. */
final class Refusals {
  private Refusals() {}

  static int of(Callable<Integer> work) throws Exception {
    try {
      return work.call();
    } catch (AmendmentRefused
        | Uncorrectable
        | WrongState
        | SamePerson
        | TiesRefused
        | AwardsTooLarge e) {
      throw Complaint.badInput(String.valueOf(e.getMessage()));
    } catch (PeriodBusy | NotVerified e) {
      throw Complaint.failed(e.getMessage() + "; nothing was changed");
    }
  }
}
