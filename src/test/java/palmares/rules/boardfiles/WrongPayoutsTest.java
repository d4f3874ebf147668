package palmares.rules.boardfiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.platform.form.Faults.Fault;

/** A payout that cannot be paid is refused when its file is read, with a remedy. */
class WrongPayoutsTest {
  private static final String BOARD =
      """
      title: T
      period: day
      actions: { like: 1, coin: 5 }
      max-points: 1000
      %s
      rewards:
      %s
      """;

  private static List<String> faults(@Nullable String fields, String rules) {
    var text =
        BOARD.formatted(
            fields == null ? "" : fields.replace(" / ", "\n"),
            "  - { rule: r, " + rules.replace(" / ", " }\n  - { rule: s, ") + " }");
    return FaultsOf.text(text).stream().map(Fault::toString).toList();
  }

  private static void assertFault(List<String> faults, String message) {
    if (message == null) {
      assertThat(faults).isEmpty();
    } else {
      assertThat(faults).singleElement().asString().contains(message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "ranks: { 1: 5 } |",
        "ranks: { 1: 5, 3-4: 2 } |",
        "ranks: { 1: 5, 3-4: 2 }, gaps: refused | 3-4 leaves rank 2 without a prize",
        "ranks: { 2-3: 2 }, gaps: refused | leaves rank 1 without a prize",
        "ranks: { 1-3: 5, 3-4: 2 } | each rank once",
        "ranks: { 1: 5 }, per: like, credits: 1 | must have only one of ranks, per",
        "currency: gems | must have one of ranks, top, points, taking-part, or per and credits",
        "ranks: { 1: 5 }, credits: 5 | credits is allowed only with per, not with ranks",
        "ranks: { 1: 5 }, of: eligible | of is allowed only with top",
        "taking-part: 5, ties: each | ties is allowed only with ranks or top",
        "top: { 1%: 5 }, gaps: refused | gaps is allowed only with ranks",
        "ranks: { 1: 5 }, remainder: house | remainder is allowed only with ties: share or hold",
        "ranks: { 1: 5 }, ties: share | ties must not be share with ranks: unique",
        "ranks: { 1: 5 }, ties: order | must be one of each, share, hold",
        "ranks: { 1: 5 }, currency: Gems | a currency of 1 to 40 lower-case letters",
        "top: { 1%: 500, 10%: 50, 100%: 1 } |",
        "top: { 0.0001%: 5 } |",
        "top: { 10%: 5, 1%: 50 } | 1% must be more than the 10% above it",
        "top: { 1%: 5, 1.0%: 50 } | must be more than the 1% above it",
        "top: { 101%: 5 } | above 0% and up to 100%",
        "top: { 0%: 5 } | above 0% and up to 100%",
        "top: { 0.00001%: 5 } | at most four decimals",
        "top: { 5: 5 } | such as 10% or 0.5%",
        "points: { 100: 10, 500: 60 } |",
        "points: { 500: 60, 100: 10 } | 100 must be more than the 500 above it",
        "points: { 1001: 10 } | can never be reached: max-points is 1000",
        "points: { 1000: 10 } |",
        "points: { none: 10 } | points such as 500",
        "per: like | credits is missing: what each 'like' pays",
        "per: likes, credits: 5 | did you mean 'like'",
        "taking-part: 0 | from 1 to",
        "taking-part: 9223372036 |",
        "taking-part: 9223372037 | could add up to 9223372037000000000 credits on a board of",
        "taking-part: 5000000000 / taking-part: 5000000000 | could add up to 10000000000000000000",
        "taking-part: 5000000000 / currency: gems, taking-part: 5000000000 |",
        "per: like, credits: 9007199254740991 |",
        "points: { 5: 9223372037 } | could add up to",
        "top: { 1%: 922337203686 } | could add up to",
        "top: { 1%: 922337203685 } |",
      })
  void aRuleThatCannotPayIsRefused(String rule, String message) {
    assertFault(faults(null, rule), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "payout: { min-points: 1000 } | taking-part: 5 |",
        "payout: { min-points: 1001 } | taking-part: 5 | nobody could be paid",
        "payout: { min-points: 0 } | taking-part: 5 | from 1 to",
        "payout: { min-points: 100 } | points: { 50: 1, 100: 2 } | 50 can never pay",
        "payout: { min-points: 100 } | points: { 50: 1, 101: 2 } |",
        "payout: { match: first } | taking-part: 5 / ranks: { 1: 2 } | 'r' above pays every member",
        "payout: { match: first } | top: { 100%: 5 } / ranks: { 1: 2 } | can never pay",
        "payout: { match: first } | ranks: { 1: 2 } / taking-part: 5 |",
        "payout: { match: most } | taking-part: 5 | one of all, first",
        "payout: { counts: credits } | taking-part: 5 | would change the board that it is won on",
        "payout: { counts: gems } | currency: gems, taking-part: 5 | must not be gems",
        "payout: { counts: gems } | taking-part: 5 |",
        "payout: { budget: { credits: { period: 0 } } } | taking-part: 5 | period is zero",
        "payout: { budget: { credits: { month: 0 } } } | taking-part: 5 | month is zero",
        "payout: { budget: { credits: {} } } | taking-part: 5 | sets no limit",
        "payout: { budget: { credit: { period: 5 } } } | taking-part: 5 | did you mean 'credits'",
        "payout: { budget: { credits: { period: 9, month: 5 } } } | taking-part: 5 | is less than",
        "payout: { budget: { credits: { period: 9 } } } | rank: { 1: 2 } / currency: gems,"
            + " taking-part: 5 | did you mean 'ranks'",
        "payout: { release-at: '09:00' } | rank: { 1: 2 } | did you mean 'ranks'",
        "payout: { approval: two } | taking-part: 5 | one of none, required, two-person",
        "payout: { unusual: 1 } | taking-part: 5 | from 2 to",
        "payout: { release-at: '09:00' } | taking-part: 5 | nothing needs approval",
        "payout: { release-at: '9:00', unusual: 3 } | taking-part: 5 | a time of day",
        "payout: { release-at: '09:00', unusual: 3 } | taking-part: 5 |",
        "payout: { release-at: '09:00', approval: two-person } | taking-part: 5 | requires two"
            + " people",
        "payout: { owed: forget } | taking-part: 5 | one of take, write-off, debt",
        "payout: { eligable: registered } | taking-part: 5 | did you mean 'eligible'",
        "ranks: dense / payout: { release-at: 09:00 } | ranks: { 1: 2 }, ties: hold |",
        "ranks: dense | ranks: { 1: 9223372037 } | could add up to",
        "ranks: dense | ranks: { 1: 9223372037 }, ties: share |",
        "ranks: dense | ranks: { 1: 9223372037 }, ties: hold | could add up to",
      })
  void anInconsistentPayoutIsRefused(String fields, String rules, String message) {
    assertFault(faults(fields, rules), message);
  }

  @Test
  void stepsDescendWhereTheFewestWin() {
    var board =
        """
        title: T
        period: day
        scoring: lowest-best
        actions: { lap: {} }
        max-points: 1000
        rewards: [{ rule: r, points: { %s } }]
        payout: { min-points: %d }
        """;
    assertThat(FaultsOf.text(board.formatted("500: 1, 100: 2", 1000))).isEmpty();
    assertThat(FaultsOf.text(board.formatted("100: 1, 500: 2", 1000)))
        .singleElement()
        .asString()
        .contains("500 must be fewer than the 100 above it");
    assertThat(FaultsOf.text(board.formatted("500: 1, 100: 2", 100)))
        .singleElement()
        .asString()
        .contains("500 can never pay");
  }

  @Test
  void aPayoutWithoutRewardsIsRefused() {
    var text = BOARD.formatted("payout: { match: first }", "").replace("rewards:\n", "");
    assertThat(FaultsOf.text(text)).singleElement().asString().contains("add rewards");
  }
}
