package palmares.bench.gauge;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;

/**
 * Lets the servers finish what they still have to do of what came before, so that it is not done
 * during what is measured: a board's events come over a day, not in the last seconds of it.
 */
public final class IdleServers {
  private final JdbcClient jdbc;

  public IdleServers(Beans beans) {
    this.jdbc = beans.get(JdbcClient.class);
  }

  /**
   * Statistics and visibility as autovacuum leaves them, no dirty pages, no garbage on the heap.
   */
  public void await() {
    jdbc.sql("vacuum (analyze)").update();
    try {
      jdbc.sql("checkpoint").update();
    } catch (DataAccessException notAllowed) {
      // Servers of others have a user who may not; the checkpointer gets there by itself.
    }
    System.gc();
  }
}
