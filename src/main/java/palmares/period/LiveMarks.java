package palmares.period;

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
}
