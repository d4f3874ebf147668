package palmares.settlement.closing;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.period.PeriodState;
import palmares.platform.text.Sentence;
import palmares.settlement.outcome.Revision.Verdict;

/** What becomes of closings, and of what people decide about them. */
public interface ClosingSentences {
  record StepBegins(Duration after, String step) implements Sentence {}

  record InUse(String period) implements Sentence {}

  record Retrying(String period) implements Sentence {}

  record AnotherCloses() implements Sentence {}

  record TakenOver() implements Sentence {}

  record ProcessEnded() implements Sentence {}

  record BeingClosed(String period) implements Sentence {}

  record NotEstimated(String period) implements Sentence {}

  record NoJournal(String period) implements Sentence {}

  record WouldClose(String period, PeriodState state) implements Sentence {}

  record WouldRestart(String period, PeriodState state) implements Sentence {}

  record WouldApprove(String period) implements Sentence {}

  record Closed(String period, long members, Duration took) implements Sentence {}

  record Settled(String period) implements Sentence {}

  record SettledBefore(String period, ZonedDateTime at) implements Sentence {}

  record Approved(String period) implements Sentence {}

  record NotSettled(String period, Sentence why) implements Sentence {}

  record FailedAgain(String period, Sentence why) implements Sentence {}

  record NotPaid(String period, Sentence why) implements Sentence {}

  record Held(String period, List<? extends Sentence> reasons) implements Sentence {}

  record StillHeld(String period, List<? extends Sentence> reasons) implements Sentence {}

  record Reasons(List<? extends Sentence> reasons) implements Sentence {}

  record HeldFor(List<? extends Sentence> reasons) implements Sentence {}

  record WillBeHeld(String period, List<? extends Sentence> reasons) implements Sentence {}

  record WasRejected(String period) implements Sentence {}

  record Rejected(String period) implements Sentence {}

  record HeldByPerson(String period) implements Sentence {}

  record HoldLifted(String period) implements Sentence {}

  record HoldOfRejectedLifted(String period) implements Sentence {}

  record NotHoldable(String period, PeriodState state) implements Sentence {}

  record HeldTwice(String period) implements Sentence {}

  record NotHeldByPerson(String period) implements Sentence {}

  record AwaitsApproval(String period) implements Sentence {}

  record AlreadySettled(String period) implements Sentence {}

  record NotHeld(String period, Sentence why) implements Sentence {}

  record Decided(Verdict verdict, String by, ZonedDateTime at) implements Sentence {}

  record InState(PeriodState state) implements Sentence {}

  record OverBudget(String period, List<? extends Sentence> budgets) implements Sentence {}

  record Reranked(String period, List<? extends Sentence> changes) implements Sentence {}

  record NothingShown(String period, Verdict verdict) implements Sentence {}

  record Changed(String period, String shown, String digest, Sentence why) implements Sentence {}

  /** The person was shown it, but not by its digest. */
  record ChangedUnseen(String period, String digest, Sentence why) implements Sentence {}

  record ComputedAgain() implements Sentence {}

  record HeldInFirst(String period, int revision) implements Sentence {}

  record FirstOutcome(String period) implements Sentence {}

  record Amendment(String period, int revision) implements Sentence {}

  /**
   * @param outcome a {@link FirstOutcome} or an {@link Amendment}
   */
  record AlreadyPaid(Sentence outcome, String by, ZonedDateTime at) implements Sentence {}

  record AlreadyApproved(Sentence outcome, String by, ZonedDateTime at) implements Sentence {}

  record AlreadyRejected(Sentence outcome, String by, ZonedDateTime at) implements Sentence {}

  record WouldAmend(String period, long transfers) implements Sentence {}

  record Amended(String period, long transfers) implements Sentence {}

  record AmendmentRejected(String period) implements Sentence {}

  record NotADigest(String text) implements Sentence {}

  record ForAllDue() implements Sentence {}

  record TiesOfAmendment() implements Sentence {}

  record ExclusionsOfAmendment() implements Sentence {}

  record NothingDue(@Nullable NextDue next) implements Sentence {}

  record NextDue(String board, ZonedDateTime at) implements Sentence {}

  record WouldCloseDue(long periods) implements Sentence {}

  record DuePeriod(String period) implements Sentence {}

  record MoreDue(long periods) implements Sentence {}

  record WouldExpire(long periods) implements Sentence {}

  record Progress(String work, long done, long periods, @Nullable OthersHold others)
      implements Sentence {}

  record OthersHold(long periods) implements Sentence {}

  record PausedSkipped(String board, long periods) implements Sentence {}

  record ImportsSkipped(long periods) implements Sentence {}

  record StoppedImportsSkipped(long periods) implements Sentence {}

  record DueFailed(Sentence why) implements Sentence {}

  record DueHeld(Sentence why) implements Sentence {}

  record OfPeriod(String period, Sentence why) implements Sentence {}

  record OfPeriodId(long period, Sentence why) implements Sentence {}

  record DueLeft(String by, long periods) implements Sentence {}

  record DueSum(long settled, double perSecond, long failed, long left) implements Sentence {}

  /** What one rule pays, to those who get something. */
  record ByRule(String rule, BigDecimal amount, String currency, long members)
      implements Sentence {}

  record TooFewConnections(long least, long perFilling) implements Sentence {}
}
