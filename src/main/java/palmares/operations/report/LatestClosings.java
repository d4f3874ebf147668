package palmares.operations.report;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Sums up what was closed and paid since a time, such as in a night. */
@Component
public class LatestClosings {
  static final String COUNTS =
      """
      select
        (select count(*) from period where settled_at >= :from) as closed,
        (select count(*) from run where outcome = 'failed' and started_at >= :from) as failed
      """;

  /** Reads manifests, and no payments, as the report of a month does. */
  static final String PAID =
      """
      select sum.currency,
        coalesce(sum(sum.amount) filter (where sum.name = 'award'), 0) as paid,
        coalesce(sum(sum.amount) filter (where sum.name = 'return'), 0) as taken_back
      from revision
      join manifest using (period_id, revision)
      cross join lateral manifest_sums(sums, 'payments-by-purpose') sum
      where posted_at >= :from
      group by sum.currency
      order by sum.currency collate "C"
      """;

  static final String SLOWEST =
      """
      select board, period, started_at, ended_at
      from run_overview
      where outcome = 'settled' and ended_at >= :from
      order by ended_at - started_at desc, id
      limit 1
      """;

  private final JdbcClient jdbc;

  LatestClosings(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What was closed and paid.
   *
   * @param closed how many periods were settled
   * @param failed how many runs failed
   * @param paid by currency, amendments too
   * @param slowest the run that took longest of those that settled a period; null if there is none
   */
  public record Summary(long closed, long failed, List<Paid> paid, @Nullable Run slowest) {
    public Summary {
      paid = List.copyOf(paid);
    }
  }

  /**
   * What was posted in a currency.
   *
   * @param paid what members got
   * @param takenBack what they gave back
   */
  public record Paid(String currency, BigDecimal paid, BigDecimal takenBack) {}

  /** A run that settled a period. */
  public record Run(String board, String period, Instant startedAt, Instant endedAt) {}

  private record Counts(long closed, long failed) {}

  /** Sums up what was closed and paid from a time on. */
  public Summary since(Instant from) {
    Counts counts = jdbc.sql(COUNTS).param("from", from).query(Counts.class).single();
    return new Summary(counts.closed(), counts.failed(), paid(from), slowest(from));
  }

  private List<Paid> paid(Instant from) {
    return jdbc.sql(PAID).param("from", from).query(Paid.class).list();
  }

  private @Nullable Run slowest(Instant from) {
    return jdbc.sql(SLOWEST).param("from", from).query(Run.class).optional().orElse(null);
  }
}
