package palmares.settlement.outbox;

import java.time.Clock;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;

/**
 * Where a closing and an amendment leave word that they are done, in the very transaction that
 * makes it so: what is rolled back is never told, and what is committed is never forgotten.
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

  /** The period is settled, in the revision that stands now. */
  public void settled(Period period) {
    int revision =
        jdbc.sql("select revision from period where id = :id")
            .param("id", period.id().value())
            .query(Integer.class)
            .single();
    tell(period, revision, "period.settled");
  }

  /**
   * What the revision changes is paid.
   *
   * @param revision 2 or more
   */
  public void amended(Period period, int revision) {
    tell(period, revision, "period.amended");
  }

  private void tell(Period period, int revision, String type) {
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
