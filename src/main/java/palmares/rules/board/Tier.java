package palmares.rules.board;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * A board's tier in a family of boards, between which members move at each period's end.
 *
 * @param family 1 to 40 lower-case letters, digits and hyphens
 * @param number 1 for the top, 2 below it, and so on
 * @param promote how many move up; null for none
 * @param relegate how many move down; null for none
 */
public record Tier(String family, int number, @Nullable Cut promote, @Nullable Cut relegate) {
  /**
   * Says how many of a tier's ranked members move.
   *
   * @param amount a number or a percentage of ranked members; above 0
   * @param percent whether the amount is a percentage: at most 100, with at most four decimals
   */
  public record Cut(BigDecimal amount, boolean percent) {
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    /** The number of members that move, rounded down. */
    public long of(long ranked) {
      BigDecimal members =
          percent
              ? amount.multiply(BigDecimal.valueOf(ranked)).divide(HUNDRED, 0, RoundingMode.FLOOR)
              : amount;
      return members.min(BigDecimal.valueOf(ranked)).longValueExact();
    }

    /** As in board files: {@code 3}, {@code 10%}. */
    @Override
    public String toString() {
      return amount.toPlainString() + (percent ? "%" : "");
    }
  }
}
