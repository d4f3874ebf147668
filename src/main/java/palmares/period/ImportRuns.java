package palmares.period;

import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

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

  /** Shows that the import goes on; at least every 10 seconds. */
  public void beat(ImportRun run) {
    jdbc.sql("update import_run set heartbeat_at = :now where id = :id")
        .param("now", now())
        .param("id", run.id())
        .update();
  }

  /** Lets the sweep close what the import opened. */
  public void end(ImportRun run) {
    jdbc.sql("update import_run set heartbeat_at = :now, ended_at = :now where id = :id")
        .param("now", now())
        .param("id", run.id())
        .update();
  }

  private OffsetDateTime now() {
    return clock.instant().atOffset(ZoneOffset.UTC);
  }
}
