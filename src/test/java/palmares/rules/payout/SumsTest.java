package palmares.rules.payout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import palmares.platform.text.Money;

/** Money of several currencies adds up exactly, each currency alone. */
class SumsTest {
  private static final Sums PRIZES =
      Sums.of("gems", 3).plus(Sums.of("credits", 50)).plus(Sums.of("badges", 1));

  @Test
  void eachCurrencyAddsUpAlone() {
    assertThat(PRIZES.plus(Sums.of("gems", 4)).amounts())
        .isEqualTo(Map.of("badges", 1L, "credits", 50L, "gems", 7L));
    assertThat(PRIZES.credits()).isEqualTo(50);
    assertThat(PRIZES.of("keys")).isZero();
  }

  @Test
  void otherCurrenciesAreNamedInTheOrderOfTheirNames() {
    assertThat(PRIZES.others()).containsExactly(Money.of("badges", 1), Money.of("gems", 3));
    assertThat(Sums.of("credits", 50).others()).isEmpty();
  }

  @Test
  void aSumOfNothingIsLeftOut() {
    assertThat(PRIZES.plus(Sums.of("gems", -3)).others()).containsExactly(Money.of("badges", 1));
    assertThat(Sums.of("gems", 0)).isEqualTo(Sums.NONE);
  }

  @Test
  void aSumThatIsTooLargeIsNoSum() {
    assertThatThrownBy(() -> PRIZES.plus(Sums.of("gems", Long.MAX_VALUE)))
        .isInstanceOf(ArithmeticException.class);
  }
}
