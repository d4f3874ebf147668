package palmares.period;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Which periods have had a live board in Redis. */
@Component
public class LiveMarks {
  private final JdbcClient jdbc;

  LiveMarks(JdbcClient jdbc) {
    this.jdbc = jdbc;
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
