package palmares.settlement.reward;

/** Rules that award more than an account can hold; the message names them. */
public class AwardsTooLarge extends RuntimeException {
  AwardsTooLarge(String message) {
    super(message);
  }
}
