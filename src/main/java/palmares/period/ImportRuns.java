package palmares.period;

import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Imports, and whether they are alive: the sweep must not close a past period that is still being
 * filled. An import that was killed keeps its periods open until it is run again, or until an
 * operator closes them.
 */
@Component
public class ImportRuns {
  private final JdbcClient jdbc;
  private final Clock clock;

  ImportRuns(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  public ImportRun begin(String sources) {
    return new ImportRun(
        jdbc.sql(
                """
                insert into import_run (sources, started_at, heartbeat_at)
                values (:sources, :now, :now)
                returning id
                """)
            .param("sources", sources)
            .param("now", now())
            .query(Long.class)
            .single());
  }

  /** Shows that the import goes on; at least every 3 seconds. */
  public void beat(ImportRun run) {
    jdbc.sql("update import_run set heartbeat_at = :now where id = :id")
        .param("now", now())
        .param("id", run.id())
        .update();
  }

  /**
   * Lets the sweep close what the import opened; what another that is alive may be filling too
   * waits for that one.
   */
  @Transactional
  public void end(ImportRun run) {
    jdbc.sql(
            """
            update period
            set opened_by_import = other.id
            from (
              select min(id) as id from import_run
              where id <> :id
                and ended_at is null
                and heartbeat_at > :now - interval '10 seconds') as other
            where opened_by_import = :id and state = 'open' and other.id is not null
            """)
        .param("now", now())
        .param("id", run.id())
        .update();
    jdbc.sql("update import_run set heartbeat_at = :now, ended_at = :now where id = :id")
        .param("now", now())
        .param("id", run.id())
        .update();
  }

  private OffsetDateTime now() {
    return clock.instant().atOffset(ZoneOffset.UTC);
  }
}
