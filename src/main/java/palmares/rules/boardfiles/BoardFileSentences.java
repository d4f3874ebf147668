package palmares.rules.boardfiles;

import java.math.BigInteger;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;

/** What is wrong with board files; those about a field are a predicate of it. */
interface BoardFileSentences {
  record Faulty(int faults, List<Sentence> all) implements Sentence {}

  // Files
  record NoDefaultFolder(String option, Sentence first) implements Sentence {}

  record HasNoBoard(Sentence first) implements Sentence {}

  record FirstSteps(String create, String demo) implements Sentence {}

  record IsNoFolder() implements Sentence {}

  record NoFolder() implements Sentence {}

  record NoFile() implements Sentence {}

  record OtherEnding() implements Sentence {}

  record EndsInYaml() implements Sentence {}

  record Unreadable(String why) implements Sentence {}

  record TooLarge(long most) implements Sentence {}

  record NotUtf8() implements Sentence {}

  record BrokenLink() implements Sentence {}

  record IsFolder() implements Sentence {}

  record Irregular() implements Sentence {}

  record NamedAll(String name) implements Sentence {}

  record TwoFiles(BoardId board) implements Sentence {}

  record TooManyFiles(int files, int most) implements Sentence {}

  record Misnamed(Sentence why) implements Sentence {}

  // Calendars and lists
  record NotAfterStarts(LocalDate starts, LocalDate until) implements Sentence {}

  record SeasonNamedTwice(String name) implements Sentence {}

  record SeasonBackwards(String from, String to) implements Sentence {}

  record SeasonOverlaps(String previous) implements Sentence {}

  record DaysOfHours() implements Sentence {}

  record SeasonSkipped(String time, String zone) implements Sentence {}

  record NotInEveryMonth(LocalDate from) implements Sentence {}

  record SeasonsInvalid(Sentence why) implements Sentence {}

  record ListNamedTwice(String list) implements Sentence {}

  // Actions, scales and invites
  record PointsWithValues(String scoring) implements Sentence {}

  record PointsMissing() implements Sentence {}

  record PointsExceed(long quantity, long points, long most) implements Sentence {}

  record UndoOfValues(String scoring) implements Sentence {}

  record UndoWithoutSubject(String unit) implements Sentence {}

  record LimitsWithoutEffect(String unit) implements Sentence {}

  record QuantityExceeds(long quantity, long limit) implements Sentence {}

  record TooManyPoints(long most, long points, List<Sentence> bits, List<Sentence> remedies)
      implements Sentence {}

  record ArrivalBits(long bits, long all) implements Sentence {}

  record TimeBits(String resolution, long bits, long all) implements Sentence {}

  record SecondKeyBits(long bits, long all) implements Sentence {}

  record BitsLeft(long bits) implements Sentence {}

  record LowerEither() implements Sentence {}

  record CoarserFits(String resolution, long most) implements Sentence {}

  record NoResolutionFits() implements Sentence {}

  record WideFits() implements Sentence {}

  record NoLayoutFits() implements Sentence {}

  record InvitesWithValues() implements Sentence {}

  record InvitesUnknownAction(List<String> actions, String action, @Nullable DidYouMean hint)
      implements Sentence {}

  record InvitesWithoutUndo(String action) implements Sentence {}

  record CountedInWithoutQualifies() implements Sentence {}

  record ReviewsNothing() implements Sentence {}

  record QualifiesByCredit(String action) implements Sentence {}

  record QualifiesUnknownAction(List<String> actions, String action, @Nullable DidYouMean hint)
      implements Sentence {}

  record QualifiesOnUnknownBoard(List<String> boards, String board, @Nullable DidYouMean hint)
      implements Sentence {}

  record WatchesNothing() implements Sentence {}

  record WatchesPassedWithoutTop() implements Sentence {}

  record WatchesTooMany(int bounds, int most) implements Sentence {}

  record WatchedTwice(long bound) implements Sentence {}

  record WatchedBeyond(long points, long max) implements Sentence {}

  // Adoptions
  record KeyOfOther(String key, String board) implements Sentence {}

  record RanksNotDense() implements Sentence {}

  record DeadlineTooEarly() implements Sentence {}

  record TooFewDigits(String left, long digits) implements Sentence {}

  record KeyOfOtherField() implements Sentence {}

  record KeyOfTwoPeriods(String one, String other, String key) implements Sentence {}

  // Families
  record PromotesFromFirst() implements Sentence {}

  record MovesMoreThanAll(String relegate, String promote) implements Sentence {}

  record TierTwice(int tier, String board) implements Sentence {}

  record TierMissing(int tier, String family, int missing) implements Sentence {}

  record PeriodsDiffer(String family, String board) implements Sentence {}

  record RelegatesFromLast(int tier) implements Sentence {}

  // Rewards
  record TooMuchToHold(BigInteger sum, String currency, long members, long most)
      implements Sentence {}

  record NoBasis() implements Sentence {}

  record SeveralBases(List<String> bases) implements Sentence {}

  record OtherBasis(List<String> allowed, String basis) implements Sentence {}

  record RuleNamedTwice(String name) implements Sentence {}

  record PaysWhatCounts(String currency) implements Sentence {}

  record NeverReached(String rule) implements Sentence {}

  record RanksTwice(long from, long last) implements Sentence {}

  record GapOfOne(long rank) implements Sentence {}

  record Gap(long from, long to) implements Sentence {}

  record PercentTooSmall(String above) implements Sentence {}

  record TiesOfUnique(String ties) implements Sentence {}

  record NothingToDivide() implements Sentence {}

  record NotMore(long above) implements Sentence {}

  record NotFewer(long above) implements Sentence {}

  record PastMaxPoints(long most) implements Sentence {}

  record BelowMinPoints(long min, long next) implements Sentence {}

  record CreditsMissing(String action) implements Sentence {}

  record ActionOfAdopted() implements Sentence {}

  record ActionWithValues(String scoring) implements Sentence {}

  record UnknownAction(List<String> actions, String action, @Nullable DidYouMean hint)
      implements Sentence {}

  // Payouts
  record NothingToPay() implements Sentence {}

  record NobodyHasEnough(long most) implements Sentence {}

  record BudgetUnused(List<String> paid, @Nullable DidYouMean hint) implements Sentence {}

  record BudgetWithoutLimit() implements Sentence {}

  record BudgetOfMonthTooSmall(long period) implements Sentence {}

  record BudgetIsZero() implements Sentence {}

  record NothingToRelease() implements Sentence {}

  record ReleaseOfTwoPeople() implements Sentence {}
}
