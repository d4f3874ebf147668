package palmares.period;

import static palmares.platform.time.SqlTime.utc;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.StringUtils;
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

  /** The longest list of sources in an audit entry, in characters. */
  private static final int MAX_SOURCES = 200;

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
            .param("now", utc(clock.instant()))
            .query(Long.class)
            .single();
    return new ImportRun(id, sources, by);
  }

  /**
   * Records in the audit log that a run imports events of a period; needed before the first of them
   * is applied. Does nothing if it is recorded already.
   */
  @Transactional
  public void record(ImportRun run, Period period) {
    String reason =
        "import %d of %s".formatted(run.id(), StringUtils.truncate(run.sources(), MAX_SOURCES));
    var entry = AuditEntry.of(period.board(), period.name(), run.by(), "import", reason);
    if (!auditLog.contains(entry)) {
      auditLog.append(entry);
    }
  }

  /** Records a heartbeat; needed at least every 3 seconds. */
  public void beat(ImportRun run) {
    jdbc.sql("update import_run set heartbeat_at = :now where id = :id")
        .param("now", utc(clock.instant()))
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
        .param("now", utc(now()))
        .param("since", utc(since))
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
    OffsetDateTime now = utc(now());
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
        .param("since", utc(since))
        .update();
    jdbc.sql("update import_run set heartbeat_at = :now, ended_at = :now where id = :id")
        .param("now", now)
        .param("id", run.id())
        .update();
  }

  /** Records that an import stopped before its end: no other one waits for its heartbeat. */
  public void stop(ImportRun run) {
    jdbc.sql("update import_run set stopped_at = :now where id = :id")
        .param("now", utc(now()))
        .param("id", run.id())
        .update();
  }

  /** The time by which heartbeats are sent. */
  public Instant now() {
    return clock.instant();
  }
}
