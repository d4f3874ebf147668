package palmares.settlement.wallet;

import java.time.ZonedDateTime;
import palmares.platform.text.Sentence;

/** What is said of awards in the wallet. */
public interface WalletSentences {
  record UnknownAward(String award) implements Sentence {}

  record OtherAmount(String award, long amount, long received) implements Sentence {}

  record IsReturn(String award) implements Sentence {}

  record IsNoReturn(String award) implements Sentence {}

  record NoAmount(String award) implements Sentence {}

  record NoReason(String award) implements Sentence {}

  record LongReason(int characters) implements Sentence {}

  record AlreadyCredited(String award, ZonedDateTime at) implements Sentence {}

  record TakenBack(String award, int revision) implements Sentence {}

  record Refused(String reason) implements Sentence {}

  record NotConfirmed(ZonedDateTime delivered) implements Sentence {}

  record Missing(ZonedDateTime delivered) implements Sentence {}

  record Twice(long lines) implements Sentence {}

  record OtherCurrency(String currency, String received) implements Sentence {}

  record Unawarded() implements Sentence {}

  record CreditedAfterAll() implements Sentence {}

  record JustSent(String award) implements Sentence {}

  record UnreadableAnswer(Sentence fault) implements Sentence {}

  record NoOutcomes() implements Sentence {}

  record UnreadableOutcome(String outcome) implements Sentence {}

  record LongAnswer(long bytes) implements Sentence {}

  record NotAList(String error) implements Sentence {}

  record AtLine(long line, Sentence fault) implements Sentence {}

  record NoLines() implements Sentence {}

  record TooManyLines(long most) implements Sentence {}

  record NoColumn(String column) implements Sentence {}

  record NotAnAmount(String text) implements Sentence {}

  record NoId() implements Sentence {}

  record CutOff() implements Sentence {}

  record Fields(int cells, int columns) implements Sentence {}

  record NoTime(ZonedDateTime until) implements Sentence {}

  record LongNight(long minutes) implements Sentence {}

  record TooManyInOneNight() implements Sentence {}

  record TooMany(long findings, long most) implements Sentence {}

  record TooManyReturns(int returns, int most) implements Sentence {}

  record Archived(String period) implements Sentence {}

  record OthersMoveUp(String period) implements Sentence {}

  record SharesByEligible(String period, String rule) implements Sentence {}

  record MovesToHigherTier(String period, String member) implements Sentence {}

  record NotTaken(String period, String policy) implements Sentence {}

  record NotRefused(String member, String rule, String period) implements Sentence {}

  record NoListAddress() implements Sentence {}

  record PageFailed(int page, Sentence why) implements Sentence {}

  record PageAgain() implements Sentence {}

  record TooManyPages(int most) implements Sentence {}

  record NoCredits() implements Sentence {}

  record LongPages(long page, long list) implements Sentence {}

  record NotAPage(String error) implements Sentence {}

  record SlowList(long seconds) implements Sentence {}

  record NoNextPage() implements Sentence {}

  record NextElsewhere(String next) implements Sentence {}

  record OtherCount(long expected, long lines) implements Sentence {}

  /** Whether the list of a shorter time may be read in place of this one. */
  static boolean isTooLong(Sentence why) {
    return why instanceof PageFailed failed
        ? isTooLong(failed.why())
        : why instanceof TooManyPages
            || why instanceof LongPages
            || why instanceof SlowList
            || why instanceof TooManyLines;
  }
}
