package palmares.period;

import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Periods.LiveMark;

/** Which periods have had a live board in Redis. */
@Component
public class LiveBoardMarks {
  private final JdbcClient jdbc;
  private final Clock clock;

  LiveBoardMarks(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Records that somebody is about to make the period's live board, unless it was made before or
   * the period is not open. It must be committed before Redis is asked.
   */
  public LiveMark intend(PeriodId id) {
    jdbc.sql(
            """
            update period
            set live_intended_at = :now
            where id = :id and state = 'open' and live_intended_at is null and live_at is null
            """)
        .param("now", now())
        .param("id", id.value())
        .update();
    return find(id);
  }

  /**
   * Records that the period's live board has been made in Redis.
   *
   * @return whether the period is open, and the mark is there
   */
  public boolean make(PeriodId id) {
    jdbc.sql(
            """
            update period
            set live_at = :now, live_intended_at = coalesce(live_intended_at, :now)
            where id = :id and state = 'open' and live_at is null
            """)
        .param("now", now())
        .param("id", id.value())
        .update();
    LiveMark mark = find(id);
    return mark.state() == PeriodState.OPEN && mark.live();
  }

  private LiveMark find(PeriodId id) {
    return jdbc.sql("select state, live_at from period where id = :id")
        .param("id", id.value())
        .query(Periods::mark)
        .single();
  }

  /**
   * Open periods that have begun or whose live board somebody meant to make, and of which it is not
   * known that they have one.
   */
  public List<Period> unmarked() {
    return jdbc.sql(
            Periods.COLUMNS
                + """
                where state = 'open'
                  and live_at is null
                  and seen_at is null
                  and (starts_at <= :now or live_intended_at is not null)
                order by id
                """)
        .param("now", now())
        .query(Periods::row)
        .list();
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
            where settled_at is null
              and (live_at is not null or seen_at is not null)
            order by id
            """)
        .query((row, n) -> new PeriodId(row.getLong(1)))
        .list();
  }

  private OffsetDateTime now() {
    return clock.instant().atOffset(ZoneOffset.UTC);
  }
}
