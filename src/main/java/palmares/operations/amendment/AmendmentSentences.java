package palmares.operations.amendment;

import java.math.BigDecimal;
import java.time.ZonedDateTime;
import java.util.List;
import palmares.period.PeriodState;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board.LineRule;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.settlement.outcome.Revision.Verdict;

/** What is said of amendments. */
public interface AmendmentSentences {
  record Unchanged(int revision, String period) implements Sentence {}

  record NotPosted() implements Sentence {}

  record WouldNotChange(String period) implements Sentence {}

  record NothingWritten() implements Sentence {}

  // What differs.

  record Compared(int revision, String period, int base, long rise, long fall, long changed)
      implements Sentence {}

  record DryRunCompared(String period, int base, long rise, long fall, long changed)
      implements Sentence {}

  record Member(String member, List<Sentence> changes) implements Sentence {}

  record Rank(long before, long after) implements Sentence {}

  record FirstRank(long after) implements Sentence {}

  record NoRank(long before) implements Sentence {}

  record Points(long before, long after) implements Sentence {}

  record FirstPoints(long after) implements Sentence {}

  record NoPoints(long before) implements Sentence {}

  record Awarded(long before, long after, String currency) implements Sentence {}

  /**
   * @param before {@code up}, {@code down} or {@code stays}
   */
  record Tier(String before, String after) implements Sentence {}

  record MoreMembers(long more) implements Sentence {}

  record LargestListed(long listed, long differ) implements Sentence {}

  record Sum(BigDecimal gets, String currency) implements Sentence {}

  record SumWithOwed(BigDecimal gets, String currency, BigDecimal owes, OverpaymentPolicy owed)
      implements Sentence {}

  record Tied(long members, long rank, String rule, long pool, String currency, Sentence among)
      implements Sentence {}

  record BehindTie(long rank, String rule, long pool, String currency, Sentence among)
      implements Sentence {}

  // Refusals.

  record Archived(String period) implements Sentence {}

  record ChangesSettled(String period, LineRule what) implements Sentence {}

  record OtherCurrency(String rule, String before, String period, String after)
      implements Sentence {}

  record NotSettled(String period, PeriodState state) implements Sentence {}

  record NothingToCompare(String period) implements Sentence {}

  record NoRevision(String period, int revision) implements Sentence {}

  record AmendsNone(String period) implements Sentence {}

  record Undecided(int revision, String period) implements Sentence {}

  record NoneUndecided(String period, int revision, Sentence decision) implements Sentence {}

  record NotOpen(int revision, String period, Sentence decision) implements Sentence {}

  record Decided(Verdict verdict, String by, ZonedDateTime at) implements Sentence {}

  record BeingComputed() implements Sentence {}

  record LiftedSince(int revision, String period, Sentence members) implements Sentence {}

  record ExcludedSince(int revision, String period, String member) implements Sentence {}

  record OverBudget(int revision, String period, List<? extends Sentence> budgets)
      implements Sentence {}

  record NotSeen(String period, Verdict verdict) implements Sentence {}

  record ChangedSince(int revision, String period, String shown, String digest)
      implements Sentence {}
}
