package palmares.settlement.reward;

import palmares.period.Period;

/** Signals that rules award more than an account can hold; the message names the rules. */
public class AwardsTooLarge extends RuntimeException {
  AwardsTooLarge(String message) {
    super(message);
  }

  /** The rules of one currency award too much together. */
  static AwardsTooLarge together(Period period, String rules, String credits, String currency) {
    return new AwardsTooLarge(
        "%s: the rules %s award %s %s together, more than an account can hold"
            .formatted(period.label(), rules, credits, currency));
  }
}
