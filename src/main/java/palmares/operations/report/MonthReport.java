package palmares.operations.report;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.sql.ReplicaReads;
import palmares.settlement.outcome.Revision;

/**
 * Reads what all boards paid and closed in a month. The sums are those of the manifests of what
 * counts in the month, so that it reads neither payments nor earlier months. An outcome counts in
 * the month in which it was posted, or in the first whose books were not closed when it committed.
 */
@Component
public class MonthReport {
  private static final String SUMS =
      """
      with moved as (
        select link.board, link.n as outcome, sum.name as purpose, sum.currency, sum.amount
        from manifest_link link
        join manifest using (period_id, revision)
        cross join lateral manifest_sums(sums, 'payments-by-purpose') sum
        where counted_at >= :from and counted_at < :until
      ), summed as (
        select coalesce(board, '') as board, currency, count(distinct outcome) as outcomes,
          coalesce(sum(amount) filter (where purpose = 'award'), 0) as paid,
          coalesce(sum(amount) filter (where purpose = 'return'), 0) as taken_back,
          coalesce(sum(amount) filter (where purpose = 'debt'), 0) as owed,
          coalesce(sum(amount) filter (where purpose = 'write-off'), 0) as written_off,
          coalesce(sum(amount) filter (where purpose = 'restored'), 0) as restored
        from moved
        group by grouping sets ((board, currency), (currency))
      ), received as (
        select coalesce(link.board, '') as board, prize.currency,
          sum(receipt.amount) as received
        from manifest_link link
        join revision using (period_id, revision)
        join receipt on receipt.outcome = revision.id and receipt.result = 'credited'
        join prize on prize.outcome = receipt.outcome and prize.rule = receipt.rule
        where counted_at >= :from and counted_at < :until
          and not exists (
            select from wallet_finding finding
            where finding.outcome = receipt.outcome
              and finding.rule = receipt.rule
              and finding.member = receipt.member
              and finding.kind = 'missing'
              and (closed_at is null
                or is_accepted and not exists (
                  select from wallet_finding later
                  where later.outcome = finding.outcome and later.rule = finding.rule
                    and later.member = finding.member and later.kind = 'credited'
                    and later.id > finding.id)))
        group by grouping sets ((link.board, prize.currency), (prize.currency))
      ), withheld as (
        select coalesce(link.board, '') as board, prize.currency,
          sum(withheld_award.amount) as withheld
        from manifest_link link
        join period on period.id = link.period_id and period.revision = link.revision
        join revision
          on revision.period_id = link.period_id and revision.revision = link.revision
        join withheld_award on withheld_award.outcome = revision.id
        join prize
          on prize.outcome = withheld_award.outcome and prize.rule = withheld_award.rule
        left join line_decision
          on line_decision.period_id = link.period_id
          and line_decision.member = withheld_award.member
        where counted_at >= :from and counted_at < :until
          and decision is distinct from 'refuse'
        group by grouping sets ((link.board, prize.currency), (prize.currency))
      )
      select nullif(board, '') as board, currency, coalesce(outcomes, 0) as outcomes,
        coalesce(paid, 0) as paid, coalesce(taken_back, 0) as taken_back,
        coalesce(paid - taken_back, 0) as net,
        coalesce(owed, 0) as owed, coalesce(written_off, 0) as written_off,
        coalesce(restored, 0) as restored,
        coalesce(paid - taken_back - owed - written_off + restored, 0) as after_debts, received,
        withheld
      from summed
      full join withheld using (board, currency)
      left join received using (board, currency)
      order by board = '', board collate "C", currency collate "C"
      """;

  private final JdbcClient jdbc;
  private final ReplicaReads replica;
  private final Clock clock;

  MonthReport(JdbcClient jdbc, ReplicaReads replica, Clock clock) {
    this.jdbc = jdbc;
    this.replica = replica;
    this.clock = clock;
  }

  /** A month of the years 1 to 9999 in a time zone. */
  public record Month(YearMonth month, ZoneId zone) {
    private static final int LAST_YEAR = 9999;

    /**
     * @throws DateTimeException if PostgreSQL has no such year
     */
    public Month {
      if (month.getYear() < 1 || month.getYear() > LAST_YEAR) {
        throw new DateTimeException("a month is of a year from 1 to 9999, not " + month.getYear());
      }
    }

    /** Whether the month has ended. Once it has been read, nothing more is counted in it. */
    public boolean isOver(Instant now) {
      return !until().isAfter(now);
    }

    public Instant from() {
      return month.atDay(1).atStartOfDay(zone).toInstant();
    }

    public Instant until() {
      return month.plusMonths(1).atDay(1).atStartOfDay(zone).toInstant();
    }
  }

  /**
   * Says what was posted in a currency.
   *
   * @param board null for the sum of all boards
   * @param outcomes how many closings and amendments posted payments in the currency
   * @param paid what members got
   * @param takenBack what they gave back
   * @param net what they got less what they gave back
   * @param owed what they owe since, as debts
   * @param writtenOff what they were overpaid and the house bears
   * @param restored what they got again of debts and write-offs
   * @param afterDebts what the outcomes leave them: the net, less debts and write-offs, and what
   *     was restored of these
   * @param received what the wallet credited until now of what was paid, without what its list
   *     lacks; its returns are not subtracted; null for nothing
   * @param withheld what flagged lines were not paid until now, and nobody has refused; null for
   *     nothing
   */
  public record MonthSum(
      @Nullable String board,
      String currency,
      long outcomes,
      BigDecimal paid,
      BigDecimal takenBack,
      BigDecimal net,
      BigDecimal owed,
      BigDecimal writtenOff,
      BigDecimal restored,
      BigDecimal afterDebts,
      @Nullable BigDecimal received,
      @Nullable BigDecimal withheld) {}

  /**
   * Closes the books of a month that is over, so that what it counts never changes. An outcome that
   * is posted but not yet committed then counts in the next month.
   *
   * <p>Must not be called in a transaction that posts.
   */
  void closeBooks(Month month, Instant now) {
    if (month.isOver(now) && !isClosed(month)) {
      jdbc.sql("select close_books(:until)").param("until", month.until()).query(row -> {});
    }
  }

  /** Without the lock for which {@code close_books} waits for postings. */
  private boolean isClosed(Month month) {
    return jdbc.sql("select exists (select from closed_books where until >= :until)")
        .param("until", month.until())
        .query(Boolean.class)
        .single();
  }

  /** The sums by board and currency, and then those of all boards by currency. */
  public List<MonthSum> sums(Month month) {
    return read(month, MonthSum.class, SUMS);
  }

  /**
   * Says what became of a board's periods.
   *
   * @param closed how many were settled in the month
   * @param amended how many amendments were posted in the month
   * @param held how many were due in the month and are held or rejected now
   * @param unsettled how many were due in the month, are not settled, and need no person
   */
  public record MonthPeriods(String board, long closed, long amended, long held, long unsettled) {}

  /** The periods of each board that closed, amended or owes a closing, in order of board. */
  public List<MonthPeriods> periods(Month month) {
    return read(
        month,
        MonthPeriods.class,
        """
        select board, sum(closed) as closed, sum(amended) as amended, sum(held) as held,
          sum(unsettled) as unsettled
        from (
          select board, (revision = :first)::int as closed, (revision > :first)::int as amended,
            0 as held, 0 as unsettled
          from manifest_link
          where counted_at >= :from and counted_at < :until
          union all
          select board, 0, 0, count(*) filter (where needs_person(state)),
            count(*) filter (where not needs_person(state))
          from period
          where settled_at is null and closes_at >= :from and closes_at < least(:until, :now)
          group by board
        ) counted
        group by board
        order by board collate "C"
        """);
  }

  /** Reads from the replica once the books are closed, which only the primary can do. */
  private <T> List<T> read(Month month, Class<T> type, String sql) {
    Instant now = clock.instant();
    closeBooks(month, now);
    return replica.call(
        () ->
            jdbc.sql(sql)
                .param("from", month.from())
                .param("until", month.until())
                .param("first", Revision.FIRST)
                .param("now", now)
                .query(type)
                .list());
  }
}
