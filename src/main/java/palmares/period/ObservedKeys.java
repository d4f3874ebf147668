package palmares.period;

import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Whether the keys of adopted boards were ever there: what was seen and is gone was lost. */
@Component
public class ObservedKeys {
  private final JdbcClient jdbc;
  private final Clock clock;
  private final Periods periods;

  ObservedKeys(JdbcClient jdbc, Clock clock, Periods periods) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.periods = periods;
  }

  /** Open periods that have begun, and of which nothing was seen yet, nor written by us. */
  public List<Period> unseen() {
    return jdbc
        .sql(
            """
            select id from period
            where state = 'open' and seen_at is null and live_at is null and starts_at <= :now
            """)
        .param("now", now())
        .query((row, n) -> new PeriodId(row.getLong(1)))
        .list()
        .stream()
        .map(periods::get)
        .toList();
  }

  /** Remembers that the period's keys are there. */
  public void see(PeriodId id) {
    jdbc.sql("update period set seen_at = :now where id = :id and seen_at is null")
        .param("now", now())
        .param("id", id.value())
        .update();
  }

  public boolean seen(PeriodId id) {
    return jdbc.sql("select seen_at is not null from period where id = :id")
        .param("id", id.value())
        .query(Boolean.class)
        .single();
  }

  private OffsetDateTime now() {
    return clock.instant().atOffset(ZoneOffset.UTC);
  }
}
