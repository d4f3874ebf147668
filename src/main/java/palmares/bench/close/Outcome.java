package palmares.bench.close;

import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.WrongResult;

/**
 * What a closing leaves, counted: one that leaves something else is no measure of another.
 *
 * @param lines of the standings
 * @param credits moved by all transfers together
 */
record Outcome(long lines, long transfers, long entries, long credits) {

  /**
   * Counts what stands in tables.
   *
   * @param prefix what the tables' names begin with, before {@code standing}, {@code transfer} and
   *     {@code entry}; empty for the application's own
   * @param period whose rows
   */
  static Outcome of(JdbcClient jdbc, String prefix, long period) {
    return jdbc.sql(
            """
            select
              (select count(*) from %1$sstanding where period_id = :period) as lines,
              (select count(*) from %1$stransfer where period_id = :period) as transfers,
              count(*) as entries,
              coalesce(sum(entry.amount) filter (where entry.amount > 0), 0) as credits
            from %1$stransfer transfer
            join %1$sentry entry on entry.transfer_id = transfer.id
            where transfer.period_id = :period
            """
                .formatted(prefix))
        .param("period", period)
        .query(Outcome.class)
        .single();
  }

  /**
   * @param who whose outcome this is
   * @throws WrongResult if it is another than the closing's
   */
  void requireSame(String who, Outcome closing) {
    if (!equals(closing)) {
      throw new WrongResult(
          "%s came to %s, the closing to %s: they did not do the same work"
              .formatted(who, words(), closing.words()));
    }
  }

  private String words() {
    return "%d lines, %d transfers, %d entries and %d credits"
        .formatted(lines, transfers, entries, credits);
  }
}
