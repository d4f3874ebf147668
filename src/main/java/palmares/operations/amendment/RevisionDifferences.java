package palmares.operations.amendment;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
   * Says what changes hands in a currency, by each rule: a member may get more by one and less by
   * another.
   *
   * @param gets the sum of what members get in addition
   * @param owes the sum of what members were awarded too much
   */
  public record Sum(String currency, BigDecimal gets, BigDecimal owes) {}

  /**
   * Says how one member's result differs, in one currency.
   *
   * @param rankBefore null if the member had no rank
   * @param rankAfter null if the member has no rank
   * @param pointsBefore null if the member had no line
   * @param pointsAfter null if the member has no line
   * @param currency null if the member gets nothing in either revision
   * @param before the sum of the awards before
   * @param after the sum of the awards after
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
      long before,
      long after,
      @Nullable String tierBefore,
      @Nullable String tierAfter) {}
}
