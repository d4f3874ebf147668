package palmares.bench.gauge;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;

/** Lets the servers finish earlier work, so that it is not part of the next measurement. */
public final class IdleServers {
  private final JdbcClient jdbc;

  public IdleServers(Beans beans) {
    this.jdbc = beans.get(JdbcClient.class);
  }

  /** Vacuums and analyzes all tables, writes dirty pages, and collects garbage. */
  public void await() {
    jdbc.sql("vacuum (analyze)").update();
    try {
      jdbc.sql("checkpoint").update();
    } catch (DataAccessException notAllowed) {
      // On external servers the user may lack the right; the checkpointer then runs on its
      // schedule.
    }
    System.gc();
  }
}
