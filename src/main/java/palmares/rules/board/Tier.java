package palmares.rules.board;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * A board's place in a family, between whose tiers members move at each period's end.
 *
 * @param family its name: 1 to 40 lower-case letters, digits and hyphens
 * @param number 1 for the top; 2 below it, and so on
 * @param promote who goes up; null for nobody
 * @param relegate who goes down; null for nobody
 */
public record Tier(String family, int number, @Nullable Cut promote, @Nullable Cut relegate) {

  /**
   * How many of a tier's ranked members move.
   *
   * @param amount members, or percent of the ranked ones; above 0
   * @param percent whether it is percent: at most 100, of at most four decimals
   */
  public record Cut(BigDecimal amount, boolean percent) {
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    /** How many of so many; a fraction of a member stays. */
    public long of(long ranked) {
      BigDecimal members =
          percent
              ? amount.multiply(BigDecimal.valueOf(ranked)).divide(HUNDRED, 0, RoundingMode.FLOOR)
              : amount;
      return members.min(BigDecimal.valueOf(ranked)).longValueExact();
    }

    /** As files spell it: {@code 3}, {@code 10%}. */
    @Override
    public String toString() {
      return amount.toPlainString() + (percent ? "%" : "");
    }
  }
}
