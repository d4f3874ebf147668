package palmares.operations.amendment;

import java.math.BigDecimal;
import java.util.List;

/**
 * How one revision differs from the one that it amends.
 *
 * @param risen how many members have a better rank, or one where they had none
 * @param fallen how many have a worse rank, or none any more
 * @param changed how many lines differ in anything, awards included
 * @param sums what changes hands, by currency
 * @param first the changes that weigh most: the largest sums, then the best ranks
 */
public record RevisionDifferences(
    long risen, long fallen, long changed, List<Sum> sums, List<MemberDifference> first) {
  public RevisionDifferences {
    sums = List.copyOf(sums);
    first = List.copyOf(first);
  }

  /** Whether there is none. */
  public boolean none() {
    return changed == 0;
  }

  /**
   * What changes hands in a currency.
   *
   * @param gets what members get more, in sum
   * @param owes what members were awarded too much, in sum
   */
  public record Sum(String currency, BigDecimal gets, BigDecimal owes) {}
}
