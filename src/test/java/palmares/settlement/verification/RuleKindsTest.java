package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RuleKindsTest {
  /** The compiler does not read SQL: a kind that it does not know would derive no award. */
  @ParameterizedTest
  @EnumSource
  void theSqlThatDerivesAwardsKnowsEveryKindOfRule(RuleArrays.Kind kind) {
    assertThat(AwardSql.AWARDED).contains("'" + kind.word() + "'");
  }
}
