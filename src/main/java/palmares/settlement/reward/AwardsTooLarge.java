package palmares.settlement.reward;

/** Signals that rules award more than an account can hold; the message names the rules. */
public class AwardsTooLarge extends RuntimeException {
  AwardsTooLarge(String message) {
    super(message);
  }
}
