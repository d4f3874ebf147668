package palmares.settlement.outcome;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.platform.text.Setting;
import palmares.rules.board.Board;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.outcome.Revision.Decision;
import palmares.settlement.outcome.Revision.RulesReason;
import palmares.settlement.outcome.Revision.Verdict;

/** Stores the outcomes of periods; those that were rejected too. */
@Component
@EnableConfigurationProperties(Revisions.Settings.class)
@Transactional(propagation = Propagation.MANDATORY)
public class Revisions {
  /** Dry runs have numbers from here on, which no real revision reaches. */
  private static final int DRY_RUN_NUMBERS = 1_000_000_000;

  private static final String SELECT =
      """
      select
        id, period_id as period, revision as number, base, definition_hash, owed, prepared_by,
        prepared_at, two_person, held_for, release_at, ties, verdict as decision_verdict,
        decided_by as decision_by, decided_at as decision_at, verdict_reason as decision_reason,
        posted_at
      from revision
      """;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Settings settings;

  Revisions(JdbcClient jdbc, Clock clock, Settings settings) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.settings = settings;
  }

  /**
   * Configures where outcomes are stored.
   *
   * <p>The default is measured: with shared and with own tables, medians of three closings of the
   * benchmark take 76 and 81 ms for 2,000 members, 100 and 88 ms for 5,000, 148 and 111 ms for
   * 10,000, 271 and 148 ms for 20,000. Where they differ little, shared tables are better, since
   * each pair of own ones adds about 50 kB to PostgreSQL's catalog.
   *
   * @param ownTablesFrom outcomes of this many members or more get tables of their own; for fewer,
   *     creating tables takes longer than filling them
   */
  @ConfigurationProperties("palmares.history")
  record Settings(@DefaultValue("5000") long ownTablesFrom) {
    Settings {
      new Setting("palmares.history.own-tables-from").requireAtLeast(1, ownTablesFrom);
    }
  }

  public enum Tables {
    /** Shared with other outcomes. */
    SHARED("shared_outcome"),
    /** Of this outcome alone; nobody sees their rows until the tables are attached. */
    OWN("own_outcome"),
    /**
     * As {@link #OWN}, in a transaction that rolls back. They are never attached, because that
     * would keep other transactions from attaching theirs.
     */
    TRIAL("trial_outcome");

    private final String numbers;

    Tables(String numbers) {
      this.numbers = numbers;
    }

    /** The tables for an outcome that is rolled back, instead of these. */
    public Tables forTrial() {
      return this == OWN ? TRIAL : this;
    }
  }

  /** The tables for an outcome with this number of members. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public Tables tablesFor(long members) {
    return members >= settings.ownTablesFrom() ? Tables.OWN : Tables.SHARED;
  }

  /** The least number of members of an outcome with own tables. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public long ownTablesFrom() {
    return settings.ownTablesFrom();
  }

  private Tables tablesLike(Revision base) {
    return tablesFor(
        jdbc.sql("select lines from revision where id = :outcome")
            .param("outcome", base.id())
            .query(Long.class)
            .single());
  }

  /**
   * Begins a period's first revision, which awards by the rules that the period opened under.
   *
   * @return the number of the outcome
   */
  public int begin(Period period, Board board, String preparedBy, Tables tables) {
    int id =
        jdbc.sql(
                """
                with begun as (
                  insert into revision (
                    id, period_id, revision, definition_hash, owed, prepared_by, prepared_at,
                    two_person)
                  values (
                    nextval(:numbers::regclass), :period, 1, :hash, :owed, :by, :now, :twoPerson)
                  returning id
                ), numbered as (
                  insert into prize (outcome, rule, name, currency)
                  select id, n, name, currency
                  from begun
                  cross join unnest(:names::text[], :currencies::text[])
                    with ordinality as rule (name, currency, n)
                )
                select id from begun
                """)
            .param("numbers", tables.numbers)
            .params(PrizeNumbers.parameters(board))
            .param("twoPerson", needsTwoPeople(board))
            .param("period", period.id())
            .param("hash", period.definitionHash())
            .param("owed", board.payout().overpaymentPolicy())
            .param("by", preparedBy)
            .param("now", clock.instant())
            .query(Integer.class)
            .single();
    makeTables(id);
    return id;
  }

  /** Makes room for the payments and lines of an amendment. */
  private void prepare(int outcome, Board board) {
    PrizeNumbers.ofAmendment(jdbc, outcome, board);
    makeTables(outcome);
  }

  private void makeTables(int outcome) {
    callIfOwn("select make_outcome_tables(:outcome)", outcome);
  }

  /** Gives the filled tables of an outcome their indexes; shared tables have them. */
  public void index(int outcome) {
    if (OutcomeTables.areOwn(outcome)) {
      OutcomeTables.INDEXES.forEach(index -> index(outcome, index));
    }
  }

  /** Gives the filled tables of an outcome one of their indexes. */
  public void index(int outcome, OutcomeTables.Index index) {
    jdbc.sql("select index_outcome_table(:rows, :outcome, :columns)")
        .param("rows", index.rows())
        .param("outcome", outcome)
        .param("columns", index.columns())
        .query(row -> {});
  }

  /**
   * Attaches the filled and indexed tables of an outcome, so that everybody sees their rows once
   * the transaction has committed. The rows of shared tables are seen then anyway.
   */
  public void attach(int outcome) {
    callIfOwn("select attach_outcome_tables(:outcome)", outcome);
  }

  /** Counts the rows of filled tables for the planner; {@link #attach} does so, too. */
  public void analyze(int outcome) {
    callIfOwn("select analyze_outcome_tables(:outcome)", outcome);
  }

  private void callIfOwn(String function, int outcome) {
    if (OutcomeTables.areOwn(outcome)) {
      jdbc.sql(function).param("outcome", outcome).query(row -> {});
    }
  }

  /**
   * Begins an amendment, which always needs a verdict. It needs two people if its rules ask for
   * two, or the rules of an earlier revision did.
   *
   * @param rules the rules that it awards by
   * @return the number of the revision
   */
  public int amend(Revision base, Board rules, String by, String reason) {
    Begun begun =
        jdbc.sql(
                """
                insert into revision (
                  id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at,
                  two_person, reason)
                select
                  nextval(:numbers::regclass),
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
            .param("numbers", tablesLike(base).numbers)
            .param("hash", rules.source().hash())
            .param("twoPerson", needsTwoPeople(rules))
            .param("by", by)
            .param("now", clock.instant())
            .param("reason", reason)
            .param("period", base.period())
            .param("base", base.number())
            .query(Begun.class)
            .single();
    prepare(begun.id(), rules);
    return begun.revision();
  }

  private record Begun(int id, int revision) {}

  /**
   * Begins the outcome of a dry run, in a transaction that rolls back. An open amendment does not
   * prevent it, and no real revision gets its number. Its row has the definition of its base: to
   * store that of new rules would wait for another dry run by the same rules.
   *
   * @param rules the rules that it awards by
   * @return the number of the revision
   */
  public int beginDryRun(Revision base, Board rules, String by, String reason) {
    int number = DRY_RUN_NUMBERS + ThreadLocalRandom.current().nextInt(DRY_RUN_NUMBERS);
    int id =
        jdbc.sql(
                """
                insert into revision (
                  id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at,
                  reason, verdict, decided_by, decided_at, verdict_reason)
                select
                  nextval(:numbers::regclass), period_id, :number, revision, definition_hash, owed,
                  :by, :now, :reason, 'rejected', :by, :now, 'a dry run'
                from revision
                where period_id = :period and revision = :base
                returning id
                """)
            .param("numbers", tablesLike(base).forTrial().numbers)
            .param("number", number)
            .param("by", by)
            .param("now", clock.instant())
            .param("reason", reason)
            .param("period", base.period())
            .param("base", base.number())
            .query(Integer.class)
            .single();
    prepare(id, rules);
    return number;
  }

  private static boolean needsTwoPeople(Board board) {
    return board.payout().approvalPolicy().approval().isOfTwoPeople();
  }

  @Transactional(propagation = Propagation.SUPPORTS)
  public Optional<Revision> find(PeriodId period, int number) {
    return jdbc.sql(SELECT + "where period_id = :period and revision = :revision")
        .param("period", period)
        .param("revision", number)
        .query(Revision.class)
        .optional();
  }

  /** Whether the time has come when a held revision is released, as nobody has objected. */
  public boolean isReleasable(PeriodId period, int number) {
    Instant release = find(period, number).orElseThrow().releaseAt();
    return release != null && !clock.instant().isBefore(release);
  }

  /**
   * Returns the number of a revision's outcome, which its lines and payments carry.
   *
   * @throws org.springframework.dao.EmptyResultDataAccessException if there is none
   */
  @Transactional(propagation = Propagation.SUPPORTS)
  public int outcome(PeriodId period, int number) {
    return jdbc.sql("select id from revision where period_id = :period and revision = :revision")
        .param("period", period)
        .param("revision", number)
        .query(Integer.class)
        .single();
  }

  /** Returns the outcomes whose payments add up to the awards of this one, which is among them. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<Integer> parts(int outcome) {
    return jdbc.sql("select part from award_part where outcome = :outcome")
        .param("outcome", outcome)
        .query(Integer.class)
        .list();
  }

  /** Returns whether the period's journal is archived; such a period cannot be amended. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public boolean isArchived(PeriodId period) {
    return jdbc.sql("select archived_at is not null from period where id = :period")
        .param("period", period)
        .query(Boolean.class)
        .single();
  }

  @Transactional(propagation = Propagation.SUPPORTS)
  public List<Revision> of(PeriodId period) {
    return jdbc.sql(SELECT + "where period_id = :period order by revision")
        .param("period", period)
        .query(Revision.class)
        .list();
  }

  /** Returns all revisions of these periods, in any order. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<Revision> all(Collection<PeriodId> periods) {
    return jdbc.sql(SELECT + "where period_id = any(:periods)")
        .param("periods", periods)
        .query(Revision.class)
        .list();
  }

  /** Returns those revisions of these periods on which a person must decide, in any order. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<Revision> awaitingDecision(Collection<PeriodId> periods) {
    return jdbc
        .sql(SELECT + "where period_id = any(:periods) and verdict is null")
        .param("periods", periods)
        .query(Revision.class)
        .list()
        .stream()
        .filter(Revision::awaitsDecision)
        .toList();
  }

  /**
   * Records why a revision is held.
   *
   * @param releaseAt when it is released automatically; null if never
   */
  public void hold(
      PeriodId period, int number, List<HoldReason> reasons, @Nullable Instant releaseAt) {
    change(
        period,
        number,
        jdbc.sql(
                """
                update revision
                set held_for = :reasons::jsonb, release_at = :release::timestamptz
                where period_id = :period and revision = :revision and verdict is null
                """)
            .param("reasons", HoldReason.write(reasons))
            .param("release", releaseAt));
  }

  /** Records a person's decision on ties that the rules leave to a person. */
  public void decideTies(PeriodId period, int number, Ties ties, String by) {
    change(
        period,
        number,
        jdbc.sql(
                """
                update revision
                set ties = :ties, ties_by = :by
                where period_id = :period and revision = :revision and verdict is null
                """)
            .param("ties", ties)
            .param("by", by));
  }

  public void decide(PeriodId period, int number, Verdict verdict, String by, String reason) {
    change(
        period,
        number,
        jdbc.sql(
                """
                update revision
                set verdict = :verdict, decided_by = :by, decided_at = :now,
                  verdict_reason = :reason
                where period_id = :period and revision = :revision and verdict is null
                """)
            .param("verdict", verdict)
            .param("by", by)
            .param("now", clock.instant())
            .param("reason", reason));
  }

  /**
   * Removes an outcome that is not posted, with all that was computed for it. Decisions on it stay
   * in the audit log. Own tables that are attached stay, empty: to drop them would wait for readers
   * of other outcomes. The pruning drops them.
   */
  public void forget(PeriodId period, int number) {
    Optional<Revision> unposted =
        find(period, number).filter(revision -> revision.postedAt() == null);
    if (unposted.isEmpty()) {
      return;
    }
    int outcome = unposted.get().id();
    if (OutcomeTables.areOwn(outcome) && !attached(outcome)) {
      callIfOwn("select drop_outcome_tables(:outcome)", outcome);
    } else {
      delete(OutcomeTables.payments(outcome), outcome);
      delete(OutcomeTables.lines(outcome), outcome);
      callIfOwn("select let_vacuum_outcome_tables(:outcome)", outcome);
    }
    delete("closing_slice", outcome);
    delete("withheld_award", outcome);
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
          .param("period", period)
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
   * Marks an outcome as filled, with the numbers and checksums of its lines and payments. The
   * posting compares them with the rows that are stored then.
   */
  public void markFilled(int outcome) {
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
        .param("now", clock.instant())
        .update();
  }

  /**
   * As {@link #markFilled(int)}, with figures of what was sent to PostgreSQL.
   *
   * @param lineSum the sum of line_hash
   * @param paymentSum the sum of payment_hash
   */
  public void markFilled(
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
        .param("now", clock.instant())
        .update();
  }

  /**
   * A posted outcome.
   *
   * @param outcome its number among all outcomes
   * @param payments the number of its payments
   */
  public record Posted(int outcome, long payments) {}

  /** Makes the payments of an approved outcome final, under the present lease of its period. */
  public Posted post(Lease lease, int number) {
    return post(
        lease,
        number,
        jdbc.sql(
            """
            update revision
            set posted_at = :now, fence = :fence
            where period_id = :period
              and revision = :revision
              and verdict = 'approved'
              and posted_at is null
            returning id as outcome, payments
            """),
        "is not approved, or is already posted");
  }

  /**
   * Approves an outcome without a verdict by the rules, and makes its payments final as {@link
   * #post} does.
   */
  public Posted approveAndPost(Lease lease, int number, RulesReason reason) {
    return post(
        lease,
        number,
        jdbc.sql(
                """
                update revision
                set verdict = 'approved', decided_by = :by, decided_at = :now,
                  verdict_reason = :reason, posted_at = :now, fence = :fence
                where period_id = :period
                  and revision = :revision
                  and verdict is null
                  and posted_at is null
                returning id as outcome, payments
                """)
            .param("by", Decision.RULES)
            .param("reason", reason),
        "has a verdict already, or does not exist");
  }

  private Posted post(Lease lease, int number, JdbcClient.StatementSpec update, String otherwise) {
    return update
        .param("now", clock.instant())
        .param("fence", lease.fence())
        .param("period", lease.period())
        .param("revision", number)
        .query(Posted.class)
        .optional()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "revision %d of period %s %s".formatted(number, lease.period(), otherwise)));
  }

  /** Changes a revision that has no verdict yet. */
  private static void change(PeriodId period, int number, JdbcClient.StatementSpec update) {
    if (update.param("period", period).param("revision", number).update() != 1) {
      throw new IllegalStateException(
          "revision %d of period %s does not exist, or already has a verdict"
              .formatted(number, period));
    }
  }
}
