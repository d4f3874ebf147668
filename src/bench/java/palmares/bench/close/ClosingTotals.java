package palmares.bench.close;

import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.WrongResult;

/**
 * What a closing leaves, counted: a way that leaves something else is no measure of another.
 *
 * @param lines with a place
 * @param credits moved by all payments together
 */
record ClosingTotals(long lines, long payments, long credits) {

  /** Counts what the closing of a period has posted. */
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
   * Counts what other tables hold.
   *
   * @param lines the name of the table with one row a member
   * @param payments the name of the table with one row a payment, and its amount
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
   * Requires that another way has done the same work.
   *
   * @param who whose outcome this is
   * @throws WrongResult if it differs from the closing's
   */
  void requireSame(String who, ClosingTotals closing) {
    if (!equals(closing)) {
      throw new WrongResult(
          "%s left %s, the closing %s: they did not do the same work"
              .formatted(who, words(), closing.words()));
    }
  }

  private String words() {
    return "%d lines, %d payments and %d credits".formatted(lines, payments, credits);
  }
}
