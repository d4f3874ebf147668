package palmares.settlement.outbox;

import java.time.Clock;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;

/**
 * Stores the facts that other systems get, in the transaction that makes them true. So a fact is
 * delivered if, and only if, its transaction commits.
 */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class Outbox {
  private final JdbcClient jdbc;
  private final Clock clock;

  Outbox(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** Stores that the period is settled, with the revision that is in force. */
  public void settled(Period period) {
    int revision =
        jdbc.sql("select revision from period where id = :id")
            .param("id", period.id().value())
            .query(Integer.class)
            .single();
    insert(period, revision, "period.settled");
  }

  /**
   * Stores that a revision of the period is posted.
   *
   * @param revision 2 or more
   */
  public void amended(Period period, int revision) {
    insert(period, revision, "period.amended");
  }

  private void insert(Period period, int revision, String type) {
    jdbc.sql(
            """
            insert into fact (period_id, revision, type, at)
            values (:period, :revision, :type, :now)
            """)
        .param("period", period.id().value())
        .param("revision", revision)
        .param("type", type)
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .update();
  }
}
