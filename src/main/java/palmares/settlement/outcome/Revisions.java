package palmares.settlement.outcome;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.rules.board.Board;
import palmares.rules.payout.ApprovalPolicy.Approval;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.outcome.Revision.Verdict;

/** All outcomes that were ever computed. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class Revisions {
  private final JdbcClient jdbc;
  private final Clock clock;
  private final Prizes prizes;

  Revisions(JdbcClient jdbc, Clock clock, Prizes prizes) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.prizes = prizes;
  }

  /** Where the lines and payments of an outcome are kept. */
  public enum Tables {
    /** With those of other outcomes. */
    SHARED("shared_outcome"),
    /** In tables of the outcome alone, which are empty until they are attached. */
    OWN("own_outcome");

    private final String numbers;

    Tables(String numbers) {
      this.numbers = numbers;
    }
  }

  /**
   * Begins a period's first revision, by the rules that the period opened under.
   *
   * @param closedBy the person who closes this one period by hand; null if no person does
   * @return the number of the outcome
   */
  public int begin(
      Period period, Board board, String preparedBy, @Nullable String closedBy, Tables tables) {
    int id =
        jdbc.sql(
                """
                insert into revision (
                  id, period_id, revision, definition_hash, owed, prepared_by, prepared_at,
                  closed_by, two_person)
                values (
                  nextval(:numbers::regclass), :period, 1, :hash, :owed, :by, :now, :closedBy,
                  :twoPerson)
                returning id
                """)
            .param("numbers", tables.numbers)
            .param("closedBy", closedBy)
            .param("twoPerson", asksForTwo(board))
            .param("period", period.id().value())
            .param("hash", period.definitionHash())
            .param("owed", board.payout().owed().word())
            .param("by", preparedBy)
            .param("now", utc(clock.instant()))
            .query(Integer.class)
            .single();
    prizes.number(id, board);
    if (tables == Tables.OWN) {
      call("select make_outcome_tables(:outcome)", id);
    }
    return id;
  }

  /** Makes the filled tables of an outcome partitions of those that everybody reads. */
  public void attach(int outcome) {
    call("select attach_outcome_tables(:outcome)", outcome);
  }

  private void call(String function, int outcome) {
    jdbc.sql(function).param("outcome", outcome).query((row, n) -> n).single();
  }

  /**
   * Begins an amendment, which awaits a verdict from the first. It needs two people if its rules
   * ask for two, or those of a revision before it did.
   *
   * @param rules those that it awards by
   * @return its number
   */
  public int amend(Revision base, Board rules, String by, String reason) {
    Begun begun =
        jdbc.sql(
                """
                insert into revision (
                  id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at,
                  two_person, reason)
                select
                  nextval('shared_outcome'),
                  period_id,
                  (select max(revision) + 1 from revision where period_id = :period),
                  revision,
                  :hash,
                  owed,
                  :by,
                  :now,
                  two_person or :twoPerson,
                  :reason
                from revision
                where period_id = :period and revision = :base
                returning id, revision
                """)
            .param("hash", rules.source().hash())
            .param("twoPerson", asksForTwo(rules))
            .param("by", by)
            .param("now", utc(clock.instant()))
            .param("reason", reason)
            .param("period", base.period().value())
            .param("base", base.number())
            .query(Begun.class)
            .single();
    prizes.number(begun.id(), rules);
    return begun.revision();
  }

  private record Begun(int id, int revision) {}

  private static boolean asksForTwo(Board board) {
    return board.payout().control().approval() == Approval.TWO_PERSON;
  }

  /** The revision, if it has been computed. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public Optional<Revision> find(PeriodId period, int number) {
    return jdbc.sql(RevisionRows.COLUMNS + "where period_id = :period and revision = :revision")
        .param("period", period.value())
        .param("revision", number)
        .query(RevisionRows::row)
        .optional();
  }

  /**
   * The number of the outcome of a revision: what its lines and payments are found by.
   *
   * @throws org.springframework.dao.EmptyResultDataAccessException if there is none
   */
  @Transactional(propagation = Propagation.SUPPORTS)
  public int outcome(PeriodId period, int number) {
    return jdbc.sql("select id from revision where period_id = :period and revision = :revision")
        .param("period", period.value())
        .param("revision", number)
        .query(Integer.class)
        .single();
  }

  /** The outcomes whose payments add up to the awards of this one: for an amendment, many. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public Integer[] parts(int outcome) {
    return jdbc.sql("select part from award_part where outcome = :outcome")
        .param("outcome", outcome)
        .query(Integer.class)
        .list()
        .toArray(Integer[]::new);
  }

  /** Whether the period's journal has left the database: there are no further revisions then. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public boolean archived(PeriodId period) {
    return jdbc.sql("select archived_at is not null from period where id = :period")
        .param("period", period.value())
        .query(Boolean.class)
        .single();
  }

  /** All of a period's, in their order. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<Revision> of(PeriodId period) {
    return jdbc.sql(RevisionRows.COLUMNS + "where period_id = :period order by revision")
        .param("period", period.value())
        .query(RevisionRows::row)
        .list();
  }

  /** Keeps why it waits for a person, and until when at most. */
  public void hold(PeriodId period, int number, List<String> reasons, @Nullable Instant releaseAt) {
    requireOne(
        jdbc.sql(
                """
                update revision
                set held_for = :reasons::text[], release_at = :release::timestamptz
                where period_id = :period and revision = :revision and verdict is null
                """)
            .param("reasons", reasons.toArray(String[]::new))
            .param("release", releaseAt == null ? null : utc(releaseAt))
            .param("period", period.value())
            .param("revision", number)
            .update(),
        period,
        number);
  }

  /** Keeps how ties are paid that the rules leave to a person, and who decided so. */
  public void ties(PeriodId period, int number, Ties ties, String by) {
    requireOne(
        jdbc.sql(
                """
                update revision
                set ties = :ties, ties_by = :by
                where period_id = :period and revision = :revision and verdict is null
                """)
            .param("ties", ties.word())
            .param("by", by)
            .param("period", period.value())
            .param("revision", number)
            .update(),
        period,
        number);
  }

  /** Keeps who decided on it. */
  public void decide(PeriodId period, int number, Verdict verdict, String by, String reason) {
    requireOne(
        jdbc.sql(
                """
                update revision
                set verdict = :verdict, decided_by = :by, decided_at = :now,
                  verdict_reason = :reason
                where period_id = :period and revision = :revision and verdict is null
                """)
            .param("verdict", verdict.word())
            .param("by", by)
            .param("now", utc(clock.instant()))
            .param("reason", reason)
            .param("period", period.value())
            .param("revision", number)
            .update(),
        period,
        number);
  }

  /**
   * Removes an outcome that is not posted, with all that was computed for it; what persons decided
   * on it stays in the audit log.
   */
  public void forget(PeriodId period, int number) {
    Optional<Revision> unposted =
        find(period, number).filter(revision -> revision.postedAt() == null);
    if (unposted.isEmpty()) {
      return;
    }
    int outcome = unposted.get().id();
    if (outcome > 0 && !attached(outcome)) {
      call("select drop_outcome_tables(:outcome)", outcome);
    } else {
      delete(OutcomeTables.payments(outcome), outcome);
      delete(OutcomeTables.lines(outcome), outcome);
      if (outcome > 0) {
        call("select let_vacuum_outcome_tables(:outcome)", outcome);
      }
    }
    delete("prize", outcome);
    for (String table :
        List.of(
            "tier_move",
            "amended_line",
            "correction",
            "frozen_exclusion",
            "approval",
            "revision")) {
      jdbc.sql("delete from %s where period_id = :period and revision = :revision".formatted(table))
          .param("period", period.value())
          .param("revision", number)
          .update();
    }
  }

  private void delete(String table, int outcome) {
    jdbc.sql("delete from %s where outcome = :outcome".formatted(table))
        .param("outcome", outcome)
        .update();
  }

  private boolean attached(int outcome) {
    return jdbc.sql(
            """
            select exists (
              select from pg_inherits where inhrelid = to_regclass(:lines))
            """)
        .param("lines", OutcomeTables.lines(outcome))
        .query(Boolean.class)
        .single();
  }

  /**
   * Keeps that every line and payment of an outcome is there: how many, and their checksums. The
   * posting compares them with what is stored then.
   */
  public void filled(int outcome) {
    jdbc.sql(
            """
            update revision
            set lines = stored.lines, line_sum = stored.line_sum, payments = paid.payments,
              payment_sum = paid.payment_sum, filled_at = :now
            from (
              select count(*) as lines, coalesce(sum(line_hash(
                place, rank, points, then_by, arrival, reached_at, member)), 0) as line_sum
              from %s
              where outcome = :outcome
            ) stored, (
              select count(*) as payments, coalesce(sum(payment_hash(
                rule, purpose, amount, member)), 0) as payment_sum
              from %s
              where outcome = :outcome
            ) paid
            where id = :outcome
            """
                .formatted(OutcomeTables.lines(outcome), OutcomeTables.payments(outcome)))
        .param("outcome", outcome)
        .param("now", utc(clock.instant()))
        .update();
  }

  /**
   * As {@link #filled(int)}, by what was sent to PostgreSQL.
   *
   * @param lineSum the sum of line_hash
   * @param paymentSum the sum of payment_hash
   */
  public void filled(
      int outcome, long lines, BigInteger lineSum, long payments, BigInteger paymentSum) {
    jdbc.sql(
            """
            update revision
            set lines = :lines, line_sum = :lineSum, payments = :payments,
              payment_sum = :paymentSum, filled_at = :now
            where id = :outcome
            """)
        .param("lines", lines)
        .param("lineSum", new BigDecimal(lineSum))
        .param("payments", payments)
        .param("paymentSum", new BigDecimal(paymentSum))
        .param("outcome", outcome)
        .param("now", utc(clock.instant()))
        .update();
  }

  /**
   * Makes the payments of an outcome final, under the present lease of its period.
   *
   * @return how many there are
   */
  public long post(Lease lease, int number) {
    return jdbc.sql(
            """
            update revision
            set posted_at = :now, fence = :fence
            where period_id = :period
              and revision = :revision
              and verdict = 'approved'
              and posted_at is null
            returning payments
            """)
        .param("now", utc(clock.instant()))
        .param("fence", lease.fence())
        .param("period", lease.period().value())
        .param("revision", number)
        .query(Long.class)
        .optional()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "revision %d of period %s is not approved, or posted already"
                        .formatted(number, lease.period())));
  }

  private static void requireOne(int changed, PeriodId period, int number) {
    if (changed != 1) {
      throw new IllegalStateException(
          "revision %d of period %s is decided on already, or does not wait"
              .formatted(number, period));
    }
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
