package palmares.operations.monitoring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.text.Sentence;
import palmares.platform.threads.HealthSentences;
import palmares.settlement.closing.ClosingSentences;
import palmares.settlement.outcome.HoldReason;

/** Reads from PostgreSQL what periods, closings and schedulers look like from outside. */
@Component
@EnableConfigurationProperties(SignalSettings.class)
class PeriodSignals {
  /**
   * A period that an import fills, or that is being closed under a lease, is not overdue. What has
   * failed before it is due again counts as failed, and as nothing else. What is due on a paused
   * board counts as paused, unless a person must decide on it.
   */
  static final String ATTENTION =
      """
      select period.board, period.name,
        case
          when needs_person(period.state) then 'held'
          when board_pause.board is not null then 'paused'
          when failures > 0 then 'failed'
          else 'overdue'
        end as kind,
        case
          when needs_person(period.state)
            then coalesce(revision.decided_at, revision.filled_at, period.closes_at)
          else greatest(period.closes_at, board_pause.paused_at)
        end as since,
        period.failure, paused_by, board_pause.reason as pause_reason,
        case when import_run.ended_at is null then import_run.sources end as unended_import,
        case when needs_person(period.state) then revision.held_for end as held_for
      from period
      left join revision on revision.period_id = period.id and revision.revision = 1
      left join import_run on import_run.id = period.opened_by_import
      left join board_pause on board_pause.board = period.board
      where period.settled_at is null
        and period.closes_at <= :now
        and (import_run.id is null
          or import_run.ended_at is not null
          or import_run.heartbeat_at <= :now - interval '1 minute')
        and (needs_person(period.state)
          or failures > 0
          or board_pause.board is not null
          or period.closes_at <= :overdue and (lease_until is null or lease_until < :now))
      order by since, period.board, period.starts_at
      """;

  static final String STATES =
      """
      select board, state, count(*) as periods from period
      where settled_at is null
      group by board, state
      """;

  static final String OVERRUNS =
      """
      select board, max(extract(epoch from :now - lease_until))::float8 as seconds
      from period
      where settled_at is null and closes_at <= :now and lease_until < :now
      group by board
      """;

  /** Steps begin one after another, and the last one goes on. */
  static final String PROGRESS =
      """
      select distinct on (period.board)
        period.board, present.step, present.unit, present.done, present.total,
        coalesce(present.per_second, 0) as per_second, present.seconds_left
      from period
      join run on run.period_id = period.id and run.fence = period.fence
      cross join lateral (
        select * from step_overview
        where run_id = run.id and slice = ''
        order by n desc
        limit 1
      ) present
      where settled_at is null and closes_at <= :now and lease_until >= :now
        and run.outcome = 'running'
      order by period.board, run.id
      """;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final SignalSettings settings;

  PeriodSignals(JdbcClient jdbc, Clock clock, SignalSettings settings) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.settings = settings;
  }

  /** The periods that need attention, the longest waiting first. */
  List<Attention> attention() {
    Instant now = clock.instant();
    return jdbc
        .sql(ATTENTION)
        .param("now", now)
        .param("overdue", now.minus(settings.overdueAfter()))
        .query(Row.class)
        .list()
        .stream()
        .map(row -> row.attention(now))
        .toList();
  }

  private record Row(
      Attention.Kind kind,
      String board,
      String name,
      Instant since,
      List<HoldReason> heldFor,
      @Nullable Sentence failure,
      @Nullable String pausedBy,
      @Nullable String pauseReason,
      @Nullable String unendedImport) {
    Attention attention(Instant now) {
      return new Attention(kind, board, name, Duration.between(since, now), why());
    }

    private @Nullable Sentence why() {
      if (!heldFor.isEmpty()) {
        return new ClosingSentences.Reasons(heldFor);
      }
      if (pausedBy != null) {
        return new HealthSentences.Paused(
            pausedBy,
            Objects.requireNonNull(pauseReason),
            failure == null ? null : new HealthSentences.FailedLast(failure));
      }
      return unendedImport == null ? failure : new HealthSentences.ImportDidNotEnd(unendedImport);
    }
  }

  record StateCount(String board, String state, long periods) {}

  /** Counts the periods that are not settled; the others are too many to count again and again. */
  List<StateCount> states() {
    return jdbc.sql(STATES).query(StateCount.class).list();
  }

  /**
   * Says how long a lease that nobody gave back has been over, by board; only of periods that are
   * due.
   */
  record Overrun(String board, double seconds) {}

  List<Overrun> overruns() {
    return jdbc.sql(OVERRUNS).param("now", clock.instant()).query(Overrun.class).list();
  }

  /** Says how long the running closing of a board that began first has held its lease. */
  record LeaseAge(String board, double seconds) {}

  List<LeaseAge> leases() {
    return jdbc.sql(
            """
            select board, max(extract(epoch from :now - started_at))::float8 as seconds
            from period
            join run on run.period_id = period.id and run.fence = period.fence
            where settled_at is null and closes_at <= :now and lease_until >= :now
              and outcome = 'running'
            group by board
            """)
        .param("now", clock.instant())
        .query(LeaseAge.class)
        .list();
  }

  /**
   * Says how far the running closing of a board is that began first.
   *
   * @param unit what is counted, in the plural; empty if nothing is
   * @param total null if it is not known
   * @param secondsLeft null if it is not known
   */
  record Progress(
      String board,
      String step,
      String unit,
      long done,
      @Nullable Long total,
      double perSecond,
      @Nullable Double secondsLeft) {}

  List<Progress> progress() {
    return jdbc.sql(PROGRESS).param("now", clock.instant()).query(Progress.class).list();
  }

  /**
   * When the oldest fact that a target does not have was stored, or when somebody asked for it
   * again; null if the target has all.
   */
  @Nullable Instant undeliveredSince(String target) {
    return jdbc.sql(
            """
            select greatest(fact.at, target.again_at)
            from outbox_target target
            cross join lateral (
              (select at from fact
                where n > target.fact and type = any(target.facts)
                order by n limit 1)
              union all
              (select at from fact
                where n is null and type = any(target.facts)
                order by id limit 1)
            ) fact
            where name = :target
            order by fact.at
            limit 1
            """)
        .param("target", target)
        .query(Instant.class)
        .optional()
        .orElse(null);
  }
}
