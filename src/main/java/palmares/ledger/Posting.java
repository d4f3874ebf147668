package palmares.ledger;

/**
 * A batch of payments to post: all that {@code payable} lists for one period and revision.
 *
 * @param period the id of the period's row
 * @param revision 1 for the first closing
 * @param fence the number of the lease that the poster holds
 */
public record Posting(long period, int revision, long fence) {}
