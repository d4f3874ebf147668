package palmares.operations.amendment;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.settlement.outcome.PaymentSums.Sum;

/**
 * Says how one revision differs from the one that it amends.
 *
 * @param risen the number of members with a better rank, or with one where they had none
 * @param fallen the number of members with a worse rank, or with none where they had one
 * @param changed the number of members with any difference, awards included
 * @param sums what changes hands, by currency
 * @param first the largest differences: first by amount, then by rank
 */
public record RevisionDifferences(
    long risen, long fallen, long changed, List<Sum> sums, List<MemberDifference> first) {
  public RevisionDifferences {
    sums = List.copyOf(sums);
    first = List.copyOf(first);
  }

  public boolean none() {
    return changed == 0;
  }

  /**
   * Says how one member's result differs, in one currency.
   *
   * @param rankBefore null if the member had no rank
   * @param rankAfter null if the member has no rank
   * @param pointsBefore null if the member had no line
   * @param pointsAfter null if the member has no line
   * @param currency null if the member gets nothing in either revision
   * @param awardedBefore the sum of the awards before
   * @param awardedAfter the sum of the awards after
   * @param tierBefore {@code up} or {@code down}; null if the member stayed in its tier
   * @param tierAfter {@code up} or {@code down}; null if the member stays in its tier
   */
  public record MemberDifference(
      String member,
      @Nullable Long rankBefore,
      @Nullable Long rankAfter,
      @Nullable Long pointsBefore,
      @Nullable Long pointsAfter,
      @Nullable String currency,
      long awardedBefore,
      long awardedAfter,
      @Nullable String tierBefore,
      @Nullable String tierAfter) {}
}
