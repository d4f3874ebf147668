package palmares.operations.signals;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads from PostgreSQL what periods, closings and schedulers look like from outside. */
@Component
@EnableConfigurationProperties(SignalSettings.class)
class PeriodSignals {
  /**
   * A period that an import fills, or that is being closed under a lease, is not overdue. What has
   * failed before it is due again counts as failed, and as nothing else.
   */
  private static final String ATTENTION =
      """
      select period.board, period.name,
        case
          when period.state in ('held', 'rejected') then 'HELD'
          when failures > 0 then 'FAILED'
          else 'OVERDUE'
        end as kind,
        case
          when period.state in ('held', 'rejected')
            then coalesce(revision.decided_at, revision.filled_at, period.closes_at)
          else period.closes_at
        end as since,
        case
          when period.state in ('held', 'rejected') then array_to_string(revision.held_for, '; ')
          else period.failure
        end as reason
      from period
      left join revision on revision.period_id = period.id and revision.revision = 1
      left join import_run on import_run.id = period.opened_by_import
      where period.settled_at is null
        and period.closes_at <= :now
        and (import_run.id is null or import_run.ended_at is not null)
        and (period.state in ('held', 'rejected')
          or failures > 0
          or period.closes_at <= :overdue and (lease_until is null or lease_until < :now))
      order by since, period.board, period.starts_at
      """;

  private static final String SCHEDULERS =
      """
      select count(*) from qrtz_scheduler_state
      where last_checkin_time >= extract(epoch from clock_timestamp()) * 1000 - 60000
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
    return jdbc.sql(ATTENTION)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .param("overdue", now.minus(settings.overdueAfter()).atOffset(ZoneOffset.UTC))
        .query((row, n) -> attention(row, now))
        .list();
  }

  private static Attention attention(ResultSet row, Instant now) throws SQLException {
    Instant since = row.getObject("since", OffsetDateTime.class).toInstant();
    return new Attention(
        Attention.Kind.valueOf(row.getString("kind")),
        row.getString("board"),
        row.getString("name"),
        Duration.between(since, now),
        row.getString("reason"));
  }

  /** How many periods of a board are in a state. */
  record StateCount(String board, String state, long periods) {}

  List<StateCount> states() {
    return jdbc.sql("select board, state, count(*) as periods from period group by board, state")
        .query(StateCount.class)
        .list();
  }

  /**
   * How many schedulers have checked in within the last minute. Quartz writes the time of each
   * scheduler's own machine.
   */
  long schedulers() {
    return jdbc.sql(SCHEDULERS).query(Long.class).single();
  }

  /**
   * How long a lease that nobody gave back has been over, by board; only of periods that are due.
   */
  record Overrun(String board, double seconds) {}

  List<Overrun> overruns() {
    return jdbc.sql(
            """
            select board, max(extract(epoch from :now - lease_until))::float8 as seconds
            from period
            where settled_at is null and closes_at <= :now and lease_until < :now
            group by board
            """)
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .query(Overrun.class)
        .list();
  }

  /** Runs of closings that ended, in the order of their numbers. */
  record EndedRun(long id, String board, String outcome, double seconds) {}

  List<EndedRun> runsSince(long id) {
    return jdbc.sql(
            """
            select run.id, board, outcome,
              extract(epoch from ended_at - started_at)::float8 as seconds
            from run
            join period on period.id = run.period_id
            where run.id > :id and ended_at is not null
            order by run.id
            """)
        .param("id", id)
        .query(EndedRun.class)
        .list();
  }

  /** The number below which no run goes on any more. */
  long firstRunThatGoesOn() {
    return jdbc.sql(
            """
            select coalesce(
              (select min(id) from run where ended_at is null),
              (select max(id) + 1 from run), 0)
            """)
        .query(Long.class)
        .single();
  }

  /** Credits of an outcome that was posted. */
  record Paid(String board, String currency, long credits) {}

  /**
   * What members got by outcomes whose numbers in the chain of manifests are above {@code after}
   * and up to {@code last}.
   */
  List<Paid> paid(long after, long last) {
    return jdbc
        .sql(
            """
            select id from manifest_link
            join revision using (period_id, revision)
            where n > :after and n <= :last
            order by n
            """)
        .param("after", after)
        .param("last", last)
        .query((row, i) -> row.getInt("id"))
        .list()
        .stream()
        .flatMap(outcome -> paid(outcome).stream())
        .toList();
  }

  /** Names the outcome as a value: with a subquery, PostgreSQL would lock all of history. */
  private List<Paid> paid(int outcome) {
    return jdbc.sql(
            """
            select board, currency, sum(amount)::bigint as credits
            from transfer
            where outcome = :outcome and purpose = 'award'
            group by board, currency
            """)
        .param("outcome", outcome)
        .query(Paid.class)
        .list();
  }

  long lastPosted() {
    return jdbc.sql("select coalesce(max(n), 0) from manifest_link").query(Long.class).single();
  }

  /** How long ago the sweep began last, in any process; NaN if it never did. */
  double sweepAgeSeconds() {
    return jdbc.sql(
            """
            select coalesce(
              extract(epoch from clock_timestamp()) - max(nullif(prev_fire_time, -1)) / 1e3,
              'NaN')::float8
            from qrtz_triggers
            where job_name = 'sweep'
            """)
        .query(Double.class)
        .single();
  }
}
