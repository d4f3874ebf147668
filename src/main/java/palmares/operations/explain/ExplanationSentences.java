package palmares.operations.explain;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.period.exclusion.ExclusionLevel;
import palmares.platform.text.Money;
import palmares.platform.text.Sentence;
import palmares.rules.board.RankMethod;
import palmares.rules.board.Scale.Scoring;
import palmares.rules.board.Scale.Tiebreak;
import palmares.rules.payout.RewardRule.Denominator;

/** What an explanation of a member's result says. */
public interface ExplanationSentences {
  record Rules(Scoring scoring, RankMethod ranks, @Nullable ThenBy thenBy, Tiebreak ties)
      implements Sentence {}

  record ThenBy(String name) implements Sentence {}

  // What limits the list of events.

  record NoJournal() implements Sentence {}

  record StillOpen(long events) implements Sentence {}

  record Archived() implements Sentence {}

  // A revision.

  record Prepared(String by, ZonedDateTime at, String reason) implements Sentence {}

  record HeldFor(List<? extends Sentence> reasons) implements Sentence {}

  record Decided(String by, ZonedDateTime at, Sentence reason) implements Sentence {}

  record SecondKey(long value, String name) implements Sentence {}

  record Excluded(ExclusionLevel level, String by, String reason) implements Sentence {}

  record Corrected(long change, String by, String reason) implements Sentence {}

  record LateEventCounts(String event, long change, String by, String reason) implements Sentence {}

  // Why a member was awarded nothing.

  record Withheld(List<Money> withheld) implements Sentence {}

  record Refused(List<Money> withheld, String by, String reason) implements Sentence {}

  record NotSettled() implements Sentence {}

  record NoLine() implements Sentence {}

  record NotOnBoard() implements Sentence {}

  record NoPrize() implements Sentence {}

  record NoPayout() implements Sentence {}

  record TooFewPoints(long least) implements Sentence {}

  record NoRule(List<String> rules) implements Sentence {}

  // Why a rule gave a prize.

  record ForRank(long rank, long credits, @Nullable Sentence tied) implements Sentence {}

  record ForRanks(long rank, long credits, long from, long to, @Nullable Sentence tied)
      implements Sentence {}

  record BehindTie(@Nullable Long rank, long credits, @Nullable Sentence tied)
      implements Sentence {}

  record MovedUp(@Nullable Long rank, @Nullable Sentence tied) implements Sentence {}

  record ForPercent(
      @Nullable Long rank,
      long credits,
      BigDecimal percent,
      long members,
      Denominator of,
      long places,
      @Nullable Sentence tied)
      implements Sentence {}

  record WithinPercent(
      @Nullable Long rank, BigDecimal percent, long members, @Nullable Sentence tied)
      implements Sentence {}

  record ForPoints(long points, long credits, long least) implements Sentence {}

  record ForFewPoints(long points, long credits, long most) implements Sentence {}

  record Points(long points) implements Sentence {}

  record ForAction(String action, long times, long credits) implements Sentence {}

  record ForTakingPart(long credits) implements Sentence {}

  record UnknownRule() implements Sentence {}

  // What members with equal points get.

  record EachGets(long members) implements Sentence {}

  record Share(long members) implements Sentence {}

  record DecidedByPerson(long members) implements Sentence {}

  /** The order of two members with equal points. */
  record Placed(boolean sharesRank, boolean isAhead, Sentence why) implements Sentence {}

  record WithoutRank() implements Sentence {}

  record BySecondKey(String name, boolean fewestWin, long value, long own) implements Sentence {}

  // Late events.

  record CountsSince(int revision) implements Sentence {}

  record CannotCount(Sentence why) implements Sentence {}

  record WouldGive(long change, long rank) implements Sentence {}

  record WouldGiveNoRank(long change) implements Sentence {}

  record Undecided() implements Sentence {}

  record LateDecided(Verdict verdict, String by, ZonedDateTime at, String reason)
      implements Sentence {}

  // Around these, on the page and in the terminal.

  record InPeriod(String member, String period, String title) implements Sentence {}

  record Time(String from, String to, String zone) implements Sentence {}

  record Span(Sentence time, String state, Sentence rules) implements Sentence {}

  record AsOf(String at, String zone) implements Sentence {}

  record NotRegistered() implements Sentence {}

  record Registered(
      @Nullable Sentence as, Instant at, @Nullable Sentence invite, @Nullable Sentence inviter)
      implements Sentence {}

  record As(String nickname) implements Sentence {}

  record InviteCode(String code) implements Sentence {}

  record InvitedBy(String inviter) implements Sentence {}

  record Events(long events) implements Sentence {}

  record Curve(long most) implements Sentence {}

  record Most(long most) implements Sentence {}

  record LeftOut(long events) implements Sentence {}

  record ExcludedBy(Sentence why) implements Sentence {}

  record CorrectedBy(Sentence why) implements Sentence {}

  record Prize(long credits, String currency, String rule, Sentence why) implements Sentence {}

  record Now() implements Sentence {}

  record OfRevision(int revision, String status) implements Sentence {}

  record Unpaid(Sentence why) implements Sentence {}

  record Unlisted() implements Sentence {}

  record Rank(long rank) implements Sentence {}

  record Unranked() implements Sentence {}

  record AtPlace(
      Sentence rank,
      long place,
      @Nullable Long points,
      @Nullable Sentence also,
      @Nullable Sentence reached)
      implements Sentence {}

  record Also(Sentence said) implements Sentence {}

  record ReachedAt(Instant at) implements Sentence {}

  record Tied(long others) implements Sentence {}

  record TiedWith(String member, long place, Sentence why) implements Sentence {}

  record Transferred(
      int revision, String purpose, long amount, String currency, String rule, Sentence accounts)
      implements Sentence {}

  record FromTo(String from, String to) implements Sentence {}

  record Late(
      String event,
      Sentence action,
      String occurredAt,
      String arrivedAt,
      List<? extends Sentence> why)
      implements Sentence {}

  record Label(String name) implements Sentence {}
}
