package palmares.console;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.operations.report.PendingDecisions.Hold;
import palmares.period.BoardPauses.Pause;
import palmares.period.Repair;
import palmares.platform.text.Sentence;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revision.Decision;

/**
 * What keeps a period from going on, or is undecided about it.
 *
 * @param revision the outcome on which a person must decide; null if there is none
 * @param waitsFor who prepared an amendment, and why; null if there is none
 * @param sums what that outcome would move
 * @param refusal why the caller may not approve it; null if the caller may
 * @param hold the person's hold of a closing that is not held yet; null if there is none
 * @param pause the pause of its board, if it is not settled; null if there is none
 * @param retryAt when its failed closing is retried; null if it has not failed
 * @param repair the rebuild that may repair what failed; null if none does
 * @param rejection who rejected its closing, and why; null if nobody did
 */
record Pending(
    @Nullable Revision revision,
    @Nullable Sentence waitsFor,
    List<Sum> sums,
    @Nullable Sentence refusal,
    @Nullable Hold hold,
    @Nullable Pause pause,
    @Nullable Instant retryAt,
    @Nullable Repair repair,
    @Nullable Decision rejection) {

  /** Whether the rebuild replaces a live board that exists. */
  public boolean isReplacing() {
    return repair != null && repair != Repair.REBUILD;
  }

  /** Whether the undecided outcome amends one that is in force. */
  public boolean isAmendment() {
    return revision != null && revision.base() != null;
  }
}
