package palmares.bulk;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Memory for statements about millions of rows. */
@Component
public class Room {
  private final JdbcClient jdbc;
  private final OwnTables own;

  Room(JdbcClient jdbc, OwnTables own) {
    this.jdbc = jdbc;
    this.own = own;
  }

  /**
   * Lets each sort and each hash of the transaction that is under way have 128 MB, if they are of
   * so many rows that they want them; and joins by hash, since the planner takes what was written a
   * moment ago for a few rows, and would look each of a million up among a million; and never by a
   * plan that was kept from small ones.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void take(long rows) {
    if (own.suit(rows)) {
      jdbc.sql("set local work_mem = '128MB'").update();
      jdbc.sql("set local enable_nestloop = off").update();
      jdbc.sql("set local enable_mergejoin = off").update();
      jdbc.sql("set local plan_cache_mode = force_custom_plan").update();
    }
  }
}
