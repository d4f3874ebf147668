package palmares.period;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Which periods have had a live board in Redis. */
@Component
public class LiveMarks {
  private final JdbcClient jdbc;
  private final Clock clock;

  LiveMarks(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Holds the period in its state until the transaction ends, as {@link Periods#lock} does; but
   * rows that point to the period may be written meanwhile, as draining its journal does.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Periods.LiveMark hold(PeriodId id) {
    return jdbc.sql("select state, live_at from period where id = :id for no key update")
        .param("id", id.value())
        .query(
            (row, n) ->
                new Periods.LiveMark(
                    PeriodState.of(row.getString("state")), row.getObject("live_at") != null))
        .single();
  }

  /** Records that the period's live board has been made in Redis. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void make(PeriodId id) {
    jdbc.sql("update period set live_at = :now where id = :id and live_at is null")
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .param("id", id.value())
        .update();
  }

  /** Whether the period's live board was ever made, be it there still or not. */
  public boolean made(PeriodId id) {
    return jdbc.sql("select live_at is not null from period where id = :id")
        .param("id", id.value())
        .query(Boolean.class)
        .single();
  }

  /** The periods, not settled yet, whose boards Redis was seen to hold, whoever writes them. */
  public List<PeriodId> unsettled() {
    return jdbc.sql(
            """
            select id from period
            where state not in ('settled', 'expired')
              and (live_at is not null or seen_at is not null)
            order by id
            """)
        .query((row, n) -> new PeriodId(row.getLong(1)))
        .list();
  }
}
