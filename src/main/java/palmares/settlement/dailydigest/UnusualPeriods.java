package palmares.settlement.dailydigest;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.payout.Budget;

/**
 * Finds settled periods that a person should look at: that paid most of their budget, or whose
 * members or duration are far from the median of the board's earlier periods.
 */
@Component
class UnusualPeriods {
  /** What is unusual about a settled period. */
  interface DigestSentences {
    record NearBudget(BigDecimal amount, String currency, BigDecimal percent, BigDecimal budget)
        implements Sentence {}

    record UnusualMembers(long members, long usual) implements Sentence {}

    record UnusualDuration(Duration took, Duration usual) implements Sentence {}
  }

  private static final int MAX_EARLIER_PERIODS = 20;
  private static final int MIN_EARLIER_PERIODS = 5;
  private static final BigDecimal NEAR_BUDGET = new BigDecimal("0.8");
  private static final double MEMBERS_FACTOR = 3;
  private static final long MIN_MEMBERS_DIFFERENCE = 20;
  private static final double DURATION_FACTOR = 5;
  private static final double MIN_SECONDS_DIFFERENCE = 30;

  private final JdbcClient jdbc;
  private final Catalogue catalogue;

  UnusualPeriods(JdbcClient jdbc, Catalogue catalogue) {
    this.jdbc = jdbc;
    this.catalogue = catalogue;
  }

  /**
   * A posted outcome.
   *
   * @param seconds the duration of the run that settled the period; 0 if it is not kept
   */
  record Posted(
      long period,
      String board,
      String name,
      Instant startsAt,
      int outcome,
      int revision,
      long members,
      double seconds) {}

  /**
   * Says what an outcome pays in a currency.
   *
   * @param amount the awards; what an amendment restores reduces debts, and pays nobody
   * @param takenBack what members returned
   */
  record Paid(
      int outcome, String board, String currency, BigDecimal amount, BigDecimal takenBack) {}

  /** A period that a person should look at, and why. */
  record Unusual(String board, String period, Sentence what) {}

  private record Usual(String board, double members, double seconds, long periods) {}

  /**
   * Reads what outcomes pay from their manifests. Adding up payments would lock the table of each
   * big outcome, and many of them exceed the locks that PostgreSQL can keep.
   */
  List<Paid> paid(List<Posted> posted) {
    return jdbc.sql(
            """
            select revision.id as outcome, board, currency,
              coalesce(sum(amount) filter (where sum.name = 'award'), 0) as amount,
              coalesce(sum(amount) filter (where sum.name = 'return'), 0) as taken_back
            from revision
            join manifest using (period_id, revision)
            join period on period.id = period_id
            cross join lateral manifest_sums(sums, 'payments-by-purpose') sum
            where revision.id = any(:outcomes)
            group by revision.id, board, currency
            """)
        .param("outcomes", posted.stream().map(Posted::outcome).toList())
        .query(Paid.class)
        .list();
  }

  List<Unusual> among(List<Posted> closed, List<Paid> paid) {
    var found = new ArrayList<Unusual>();
    var periods = new HashMap<Integer, Posted>();
    closed.forEach(period -> periods.put(period.outcome(), period));
    for (Paid each : paid) {
      Posted period = periods.get(each.outcome());
      if (period != null) {
        nearBudget(each).ifPresent(what -> found.add(found(period, what)));
      }
    }
    Map<String, Usual> usual = usual(closed);
    for (Posted period : closed) {
      Usual before = usual.get(period.board());
      if (before != null && before.periods() >= MIN_EARLIER_PERIODS) {
        compare(found, period, before);
      }
    }
    return found;
  }

  private static Unusual found(Posted period, Sentence what) {
    return new Unusual(period.board(), period.name(), what);
  }

  private Optional<Sentence> nearBudget(Paid paid) {
    return catalogue
        .find(new BoardId(paid.board()))
        .map(Board::payout)
        .map(payout -> payout.budgets().get(paid.currency()))
        .map(Budget::period)
        .map(BigDecimal::valueOf)
        .filter(budget -> paid.amount().compareTo(budget.multiply(NEAR_BUDGET)) >= 0)
        .<Sentence>map(
            budget ->
                new DigestSentences.NearBudget(
                    paid.amount(),
                    paid.currency(),
                    paid.amount()
                        .multiply(BigDecimal.valueOf(100))
                        .divide(budget, 0, RoundingMode.HALF_UP),
                    budget));
  }

  private static void compare(List<Unusual> found, Posted period, Usual usual) {
    double difference = Math.abs(period.members() - usual.members());
    boolean far =
        period.members() >= usual.members() * MEMBERS_FACTOR
            || period.members() * MEMBERS_FACTOR <= usual.members();
    if (far && difference >= MIN_MEMBERS_DIFFERENCE) {
      found.add(
          found(
              period,
              new DigestSentences.UnusualMembers(period.members(), Math.round(usual.members()))));
    }
    if (period.seconds() >= usual.seconds() * DURATION_FACTOR
        && period.seconds() - usual.seconds() >= MIN_SECONDS_DIFFERENCE) {
      found.add(
          found(
              period,
              new DigestSentences.UnusualDuration(
                  seconds(period.seconds()), seconds(usual.seconds()))));
    }
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }

  /** Computes the medians of each board's periods before the first of these. */
  private Map<String, Usual> usual(List<Posted> closed) {
    var first = new HashMap<String, Instant>();
    closed.forEach(
        period -> first.merge(period.board(), period.startsAt(), (a, b) -> a.isBefore(b) ? a : b));
    var usual = new HashMap<String, Usual>();
    jdbc.sql(
            """
            select first.board,
              percentile_cont(0.5) within group (order by members) as members,
              percentile_cont(0.5) within group (order by coalesce(seconds, 0)) as seconds,
              count(*) as periods
            from unnest(:boards::text[], :starts::timestamptz[]) as first (board, starts_at)
            cross join lateral (
              select coalesce(rebuilt_members, sealed_members)::float8 as members, (
                  select extract(epoch from ended_at - started_at)::float8
                  from run
                  where run.period_id = period.id and run.outcome = 'settled'
                  order by run.id desc
                  limit 1) as seconds
              from period
              where period.board = first.board
                and period.starts_at < first.starts_at
                and settled_at is not null
              order by period.starts_at desc
              limit :limit
            ) earlier
            group by first.board
            """)
        .param("boards", first.keySet())
        .param("starts", first.values())
        .param("limit", MAX_EARLIER_PERIODS)
        .query(Usual.class)
        .list()
        .forEach(board -> usual.put(board.board(), board));
    return usual;
  }
}
