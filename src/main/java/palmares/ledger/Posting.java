package palmares.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A batch of payments to post: what {@code payable} lists for one period and revision, and for the
 * members of a range.
 *
 * @param period the id of the period's row
 * @param revision 1 for the first closing
 * @param fence the number of the lease that the poster holds
 * @param after the members by bytes behind this one; null for the first on
 * @param upTo the members by bytes up to this one; null for the last
 */
public record Posting(
    long period, int revision, long fence, @Nullable String after, @Nullable String upTo) {

  /** Of all members. */
  public Posting(long period, int revision, long fence) {
    this(period, revision, fence, null, null);
  }

  Posting within(@Nullable String after, @Nullable String upTo) {
    return new Posting(period, revision, fence, after, upTo);
  }
}
