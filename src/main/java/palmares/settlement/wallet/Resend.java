package palmares.settlement.wallet;

/**
 * An award that is delivered again.
 *
 * @param id the number of the difference or of the request that asks for it
 */
public record Resend(long id, int outcome, int rule, String member) {}
