package palmares.bench.close;

import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.WrongResult;

/**
 * The totals of a closing; ways of closing are compared only if their totals are equal.
 *
 * @param lines lines that have a place
 * @param credits sum of all payments
 */
record ClosingTotals(long lines, long payments, long credits) {

  /** Reads the totals of a posted outcome. */
  static ClosingTotals of(JdbcClient jdbc, int outcome) {
    return jdbc.sql(
            """
            select
              (select count(*) from line where outcome = :outcome and place is not null) as lines,
              count(*) as payments,
              coalesce(sum(amount), 0) as credits
            from posted_payment
            where outcome = :outcome
            """)
        .param("outcome", outcome)
        .query(ClosingTotals.class)
        .single();
  }

  /**
   * Reads the totals of other tables.
   *
   * @param lines name of the table with a row for each member
   * @param payments name of the table with a row for each payment, and its amount
   */
  static ClosingTotals of(JdbcClient jdbc, String lines, String payments) {
    return jdbc.sql(
            """
            select
              (select count(*) from %s) as lines,
              count(*) as payments,
              coalesce(sum(amount), 0) as credits
            from %s
            """
                .formatted(lines, payments))
        .query(ClosingTotals.class)
        .single();
  }

  /**
   * Requires the totals of another way to equal the closing's.
   *
   * @param who the name of the other way
   * @throws WrongResult if they differ
   */
  void requireSame(String who, ClosingTotals closing) {
    if (!equals(closing)) {
      throw new WrongResult(
          "%s has %s, but the closing has %s".formatted(who, words(), closing.words()));
    }
  }

  private String words() {
    return "%d lines, %d payments and %d credits".formatted(lines, payments, credits);
  }
}
