package palmares.rules.payout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.payout.RewardRule.PrizeTable;
import palmares.rules.payout.RewardRule.PrizeTable.Prize;
import palmares.rules.payout.RewardRule.TopPercent;
import palmares.testing.Rules;

/** What a rule says of itself, without any member. */
class RewardRuleTest {
  private static RewardRule rule(String text) {
    var board =
        Rules.day().with("ranks: competition").with("rewards: [{ rule: r, %s }]".formatted(text));
    return BoardFiles.parse(new BoardId("rules"), board.text()).payout().rules().get(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          taking-part: 5                            | true
          top: { 50%: 9, 100%: 1 }                  | true
          top: { 50%: 9, 99.9999%: 1 }              | false
          top: { 100%: 1 }, ties: share             | false
          top: { 100%: 1 }, of: eligible            | false
          ranks: { 1-1000: 5 }                      | false
          points: { 1: 5 }                          | false
          per: like, credits: 5                     | false
          """)
  void onlyARuleWithoutConditionsPaysEverybody(String text, boolean everybody) {
    assertThat(rule(text).paysEverybody()).isEqualTo(everybody);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ranks: { 1: 5 }, ties: hold  | true
          ranks: { 1: 5 }, ties: share | false
          ranks: { 1: 5 }              | false
          top: { 9%: 5 }, ties: hold   | true
          points: { 1: 5 }             | false
          """)
  void aRuleHoldsTiesIfItSaysSo(String text, boolean holds) {
    assertThat(rule(text).holdsTies()).isEqualTo(holds);
  }

  @ParameterizedTest
  @CsvSource({"up, true", "down, false"})
  void aFractionOfAPlaceIsRoundedAsTheRuleSays(String rounding, boolean up) {
    assertThat(rule("top: { 10%%: 5 }, rounding: %s".formatted(rounding)))
        .isInstanceOfSatisfying(
            TopPercent.class, top -> assertThat(top.rounding().isUp()).isEqualTo(up));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ranks: { 1: 9, 2-3: 5 }   | false | rank   | #1 9; #2–#3 5
          top: { 5%: 9, 12.5%: 5 }  | false | top    | 5 % 9; 12.5 % 5
          points: { 10: 5, 90: 9 }  | false | points | #10 5; #90 9
          points: { 10: 5, 90: 9 }  | true  | fewest | #10 5; #90 9
          """)
  void aTableShowsEachPrizeWithItsRanksPercentOrPoints(
      String text, boolean fewestWin, String basis, String prizes) {
    PrizeTable table = PrizeTable.of(rule(text), fewestWin, n -> "#" + n).orElseThrow();
    assertThat(table.basis()).isEqualTo(basis);
    assertThat(table.prizes().stream().map(RewardRuleTest::shown))
        .containsExactly(prizes.split("; "));
  }

  private static String shown(Prize prize) {
    return prize.who() + " " + prize.amount();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"taking-part: 5", "per: like, credits: 5"})
  void aRuleWithOnePrizeHasNoTable(String text) {
    assertThat(PrizeTable.of(rule(text), false, Long::toString)).isEmpty();
  }
}
