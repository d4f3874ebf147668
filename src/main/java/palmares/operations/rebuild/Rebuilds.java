package palmares.operations.rebuild;

import java.time.Clock;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Lease;

/** Records each rebuild and its result. */
@Component
class Rebuilds {
  private final JdbcClient jdbc;
  private final Clock clock;

  Rebuilds(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  void begin(Lease lease) {
    jdbc.sql(
            """
            insert into rebuild (period_id, fence, owner, started_at)
            values (:period, :fence, :owner, :now)
            """)
        .param("period", lease.period())
        .param("fence", lease.fence())
        .param("owner", lease.owner())
        .param("now", clock.instant())
        .update();
  }

  void end(Lease lease, long events, long strays) {
    jdbc.sql(
            """
            update rebuild
            set ended_at = :now, events = :events, strays = :strays
            where period_id = :period and fence = :fence
            """)
        .param("now", clock.instant())
        .param("events", events)
        .param("strays", strays)
        .param("period", lease.period())
        .param("fence", lease.fence())
        .update();
  }
}
