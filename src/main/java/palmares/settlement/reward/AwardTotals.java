package palmares.settlement.reward;

import java.math.BigDecimal;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.settlement.outcome.Revisions;

/** What periods award in sum. */
@Component
public class AwardTotals {
  private final JdbcClient jdbc;
  private final Revisions revisions;

  AwardTotals(JdbcClient jdbc, Revisions revisions) {
    this.jdbc = jdbc;
    this.revisions = revisions;
  }

  /** The sum of a revision's awards in each currency that it awards. */
  public SortedMap<String, BigDecimal> of(Period period, int revision) {
    var sums = new TreeMap<String, BigDecimal>();
    jdbc.sql(
            """
            select currency, sum(credits) as amount
            from award_changes(:parts)
            group by currency
            having sum(credits) <> 0
            """)
        .param("parts", parts(period.id(), revision))
        .query(
            row -> {
              sums.put(row.getString("currency"), row.getBigDecimal("amount"));
            });
    return sums;
  }

  private Integer[] parts(PeriodId period, int revision) {
    return revisions.parts(revisions.outcome(period, revision));
  }

  /** The sum of a revision's awards in one currency. */
  BigDecimal of(Period period, int revision, String currency) {
    return of(period, revision).getOrDefault(currency, BigDecimal.ZERO);
  }

  /**
   * What a revision costs in one currency: its awards, and what members keep of those that an
   * amendment took away. Of one that is not posted yet: what it will cost.
   */
  BigDecimal cost(Period period, int revision, String currency) {
    return cost(period.id(), revision, currency);
  }

  private BigDecimal cost(PeriodId period, int revision, String currency) {
    return jdbc.sql(
            """
            select coalesce(sum(
              case purpose when 1 then amount when 2 then -amount else 0 end), 0)
            from payment
            join prize using (outcome, rule)
            where payment.outcome = any(:parts) and prize.outcome = any(:parts)
              and currency = :currency
            """)
        .param("parts", parts(period, revision))
        .param("currency", currency)
        .query(BigDecimal.class)
        .single();
  }

  /**
   * What the board's other periods that end in the same month of the zone cost, of those that are
   * approved: whenever that was, and paid or not yet.
   */
  BigDecimal othersOfTheMonth(Period period, ZoneId zone, String currency) {
    return jdbc
        .sql(
            """
            select period.id, period.revision
            from period own
            join period on period.board = own.board
              and period.id <> own.id
              and date_trunc('month',
                  (period.ends_at - interval '1 microsecond') at time zone :zone)
                = date_trunc('month', (own.ends_at - interval '1 microsecond') at time zone :zone)
            join revision on revision.period_id = period.id
              and revision.revision = period.revision
              and revision.verdict = 'approved'
            where own.id = :period
            """)
        .param("zone", zone.getId())
        .param("period", period.id().value())
        .query((row, n) -> cost(new PeriodId(row.getLong("id")), row.getInt("revision"), currency))
        .list()
        .stream()
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /**
   * The median of what the board's last settled periods before this one have paid, in each currency
   * that they or the revision pay: 0 in one that is new. Told by their manifests, since adding up
   * the awards of ten periods takes longer than closing one.
   */
  List<Usual> usual(Period period, int revision, int most) {
    return jdbc.sql(
            """
            with former as (
              select id, revision from period
              where board = :board and starts_at < :starts and state in ('settled', 'expired')
              order by starts_at desc
              limit :most
            ), paid as (
              select former.id, rule.sum[1] as currency, sum(rule.sum[2]::numeric) as amount
              from former
              join manifest
                on manifest.period_id = former.id and manifest.revision = former.revision
              cross join lateral regexp_matches(
                substring(body from '(?n)^awards-by-rule: (.*)$'),
                '([a-z0-9-]+): [0-9]+ awards, ([0-9]+)(?:;|$)', 'g') as rule (sum)
              group by former.id, rule.sum[1]
            ), known as (
              select currency from paid
              union
              select currency from award_changes(:parts)
            ), size as (
              select former.id, currency, coalesce(paid.amount, 0) as amount
              from former
              cross join known
              left join paid using (id, currency)
            )
            select
              currency,
              percentile_cont(0.5) within group (order by amount)::numeric as median,
              count(*) as periods
            from size
            group by currency
            order by currency
            """)
        .param("board", period.board().value())
        .param("parts", parts(period.id(), revision))
        .param("starts", period.slot().startsAt().atOffset(ZoneOffset.UTC))
        .param("most", most)
        .query(Usual.class)
        .list();
  }

  /**
   * What a board usually pays in a currency.
   *
   * @param periods how many periods that is told by
   */
  record Usual(String currency, BigDecimal median, long periods) {}
}
