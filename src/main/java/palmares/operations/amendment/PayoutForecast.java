package palmares.operations.amendment;

import java.math.BigDecimal;
import java.util.List;
import palmares.period.Period;
import palmares.settlement.reward.HeldTie;

/**
 * What a period would pay if it were over now, or what it is to pay.
 *
 * @param estimate whether it is computed from what the journal holds so far
 * @param members how many stand on it
 * @param rules what each rule pays, in the order of their names
 * @param reasons why a person would have to look at it first; empty if nobody would
 * @param ties those that a person would have to decide
 */
public record PayoutForecast(
    Period period,
    boolean estimate,
    long members,
    List<ByRule> rules,
    List<String> reasons,
    List<HeldTie> ties) {
  public PayoutForecast {
    rules = List.copyOf(rules);
    reasons = List.copyOf(reasons);
    ties = List.copyOf(ties);
  }

  /**
   * What one rule pays.
   *
   * @param members how many get something by it
   * @param amount what they get in sum
   */
  public record ByRule(String rule, String currency, long members, BigDecimal amount) {}
}
