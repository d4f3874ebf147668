package palmares.period;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;

/**
 * Records runs of the import and their heartbeats, so that no past period is closed while an import
 * fills it. If an import is killed, its periods stay open until it is run again or an operator
 * closes them.
 */
@Component
public class ImportRuns {
  /** The other imports that seem to run. */
  private static final String OTHERS =
      """
      from import_run
      where id <> :id
        and ended_at is null
        and stopped_at is null
        and heartbeat_at > :now - interval '10 seconds'
      """;

  private final JdbcClient jdbc;
  private final AuditLog auditLog;
  private final Clock clock;

  ImportRuns(JdbcClient jdbc, AuditLog auditLog, Clock clock) {
    this.jdbc = jdbc;
    this.auditLog = auditLog;
    this.clock = clock;
  }

  /** One run of an import, by a person. */
  public record ImportRun(long id, String sources, String by) {}

  /**
   * Records the start of an import.
   *
   * @param sources names what is imported
   * @param by who imports it
   */
  public ImportRun begin(String sources, String by) {
    long id =
        jdbc.sql(
                """
                insert into import_run (sources, by, started_at, heartbeat_at)
                values (:sources, :by, :now, :now)
                returning id
                """)
            .param("sources", sources)
            .param("by", by)
            .param("now", clock.instant())
            .query(Long.class)
            .single();
    return new ImportRun(id, sources, by);
  }

  /**
   * Finds an import of a person that has neither ended nor stopped.
   *
   * @param by who began it
   */
  public Optional<ImportRun> running(long id, String by) {
    return jdbc.sql(
            """
            select id, sources, by
            from import_run
            where id = :id and by = :by and ended_at is null and stopped_at is null
            """)
        .param("id", id)
        .param("by", by)
        .query(ImportRun.class)
        .optional();
  }

  /**
   * Records that a run imports events of a period; needed before the first of them is applied. Does
   * nothing if it is recorded already.
   */
  @Transactional
  public void record(ImportRun run, Period period) {
    jdbc.sql(
            """
            insert into imported_period (import_run_id, period_id) values (:run, :period)
            on conflict do nothing
            """)
        .param("run", run.id())
        .param("period", period.id())
        .update();
  }

  /**
   * Appends an audit entry for each board of each import that is over, was killed, or stalls. It
   * has the range of the periods that the import has applied events to.
   */
  @Transactional
  public void appendEntries() {
    appendEntries(
        """
        ended_at is not null or stopped_at is not null
          or heartbeat_at <= :now - interval '1 minute'
        """);
  }

  private void appendEntries(String isOver) {
    Instant now = clock.instant();
    jdbc.sql(
            """
            with entered as (
              update imported_period
              set entered_at = :now
              from import_run, period
              where import_run.id = import_run_id
                and period.id = period_id
                and entered_at is null
                and (%s)
              returning import_run.id, left(sources, 200) as sources, by, board, name, starts_at, n
            )
            select id, sources, by, board, count(*) as periods,
              (array_agg(name order by starts_at))[1] as first,
              (array_agg(name order by starts_at desc))[1] as last,
              imported_hash(array_agg(concat_ws(' ', name, n) order by starts_at)) as hash
            from entered
            group by id, sources, by, board
            order by id, board
            """
                .formatted(isOver))
        .param("now", now)
        .query(Entered.class)
        .list()
        .forEach(entered -> auditLog.append(entered.audited(), now));
  }

  /** The periods of a board that an import has entered. */
  private record Entered(
      long id,
      String sources,
      String by,
      String board,
      long periods,
      String first,
      String last,
      String hash) {
    AuditEntry audited() {
      return new AuditEntry(by, "import", board, null, null, null, null)
          .with("import", id)
          .with("sources", sources)
          .with("first", first)
          .with("last", last)
          .with("periods", periods)
          .with("periodsSha256", hash);
    }
  }

  /** Records a heartbeat; needed at least every 3 seconds. */
  public void beat(ImportRun run) {
    jdbc.sql("update import_run set heartbeat_at = :now where id = :id")
        .param("now", clock.instant())
        .param("id", run.id())
        .update();
  }

  /**
   * Whether another import has a recent heartbeat, but none since then: it runs, or was killed.
   * What is given to a killed one would never be closed.
   *
   * @param since by {@link #now()}
   */
  public boolean isAnotherUncertain(ImportRun run, Instant since) {
    return jdbc.sql("select exists (select " + OTHERS + "and heartbeat_at <= :since)")
        .param("id", run.id())
        .param("now", now())
        .param("since", since)
        .query(Boolean.class)
        .single();
  }

  /**
   * Records the end of an import, after which its periods may be closed. If another import has sent
   * a heartbeat since then, the periods pass to that one, as it may be filling them too.
   *
   * @param since by {@link #now()}
   */
  @Transactional
  public void end(ImportRun run, Instant since) {
    Instant now = now();
    jdbc.sql(
            """
            update period
            set opened_by_import = other.id
            from (select min(id) as id %s and heartbeat_at > :since) as other
            where opened_by_import = :id and state = 'open' and other.id is not null
            """
                .formatted(OTHERS))
        .param("id", run.id())
        .param("now", now)
        .param("since", since)
        .update();
    jdbc.sql("update import_run set heartbeat_at = :now, ended_at = :now where id = :id")
        .param("now", now)
        .param("id", run.id())
        .update();
    appendEntries("import_run.id = " + run.id());
  }

  /** Records that an import stopped before its end: no other one waits for its heartbeat. */
  @Transactional
  public void stop(ImportRun run) {
    jdbc.sql("update import_run set stopped_at = :now where id = :id")
        .param("now", now())
        .param("id", run.id())
        .update();
    appendEntries("import_run.id = " + run.id());
  }

  /** The time by which heartbeats are sent. */
  public Instant now() {
    return clock.instant();
  }
}
