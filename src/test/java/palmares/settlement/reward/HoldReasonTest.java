package palmares.settlement.reward;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A stored reason is recognized with its values; what people write is never taken for one. */
class HoldReasonTest {
  private static final Object[] NUMBERS = {
    new BigDecimal("1234567"), "credits", new BigDecimal("10"), 2_000_000
  };

  @Test
  void everyReasonIsRecognizedBySentence() {
    assertThat(HoldReason.of(HoldReason.MONTH_BUDGET.with(NUMBERS)))
        .hasValueSatisfying(
            stated -> {
              assertThat(stated.reason()).isEqualTo(HoldReason.MONTH_BUDGET);
              assertThat(stated.values())
                  .containsExactly("1,234,567", "credits", "10", "2,000,000");
            });
    assertThat(HoldReason.of(HoldReason.TIE.with(3, 1, 500, "gold coins", "top ten")))
        .hasValueSatisfying(
            stated ->
                assertThat(stated.values())
                    .containsExactly("3", "1", "500", "gold coins", "top ten"));
    assertThat(HoldReason.of(HoldReason.PERSON.with("ann", "it looks odd;\nsee below")))
        .hasValueSatisfying(
            stated ->
                assertThat(stated.values()).containsExactly("ann", "it looks odd;\nsee below"));
    assertThat(Arrays.asList(HoldReason.APPROVAL, HoldReason.TWO_PEOPLE))
        .allSatisfy(
            reason ->
                assertThat(HoldReason.of(reason.with()).orElseThrow().reason()).isEqualTo(reason));
  }

  @Test
  void aTextOfAPersonStatesNoReason() {
    assertThat(HoldReason.of("please wait for the board")).isEmpty();
    assertThat(HoldReason.of("it was computed again")).isEmpty();
  }
}
