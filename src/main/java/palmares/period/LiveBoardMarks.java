package palmares.period;

import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Periods.LiveMark;
import palmares.rules.board.BoardId;

/**
 * Records in PostgreSQL which periods have had a live board in Redis, so that a board that is
 * missing there is known to be lost. Boards that Palmares writes are marked as created; keys of
 * adopted boards, which another program writes, are marked as observed.
 */
@Component
public class LiveBoardMarks {
  private final JdbcClient jdbc;
  private final Clock clock;

  LiveBoardMarks(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Marks that the period's live board is about to be created. Does nothing if the period is not
   * open or its board was created before. Must be committed before Redis is called.
   */
  public LiveMark intend(PeriodId id) {
    jdbc.sql(
            """
            update period
            set live_intended_at = :now
            where id = :id and state = 'open' and live_intended_at is null and live_at is null
            """)
        .param("now", clock.instant())
        .param("id", id)
        .update();
    return find(id);
  }

  /**
   * Marks that the period's live board has been created in Redis.
   *
   * @return whether the period is open and marked
   */
  public boolean markCreated(PeriodId id) {
    jdbc.sql(
            """
            update period
            set live_at = :now, live_intended_at = coalesce(live_intended_at, :now)
            where id = :id and state = 'open' and live_at is null
            """)
        .param("now", clock.instant())
        .param("id", id)
        .update();
    LiveMark mark = find(id);
    return mark.state() == PeriodState.OPEN && mark.live();
  }

  private LiveMark find(PeriodId id) {
    return jdbc.sql("select state, live_at is not null as live from period where id = :id")
        .param("id", id)
        .query(LiveMark.class)
        .single();
  }

  /**
   * Finds open periods without a mark that may have a live board: those that have begun, and those
   * whose board was about to be created.
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
        .param("now", clock.instant())
        .query(Period.class)
        .list();
  }

  /** Whether the period's live board was ever created; it may have been lost since. */
  public boolean wasCreated(PeriodId id) {
    return jdbc.sql("select live_at is not null from period where id = :id")
        .param("id", id)
        .query(Boolean.class)
        .single();
  }

  /** Returns those of the periods whose live board was ever created. */
  public Set<PeriodId> created(Collection<PeriodId> periods) {
    return Set.copyOf(
        jdbc.sql("select id from period where id = any(:ids) and live_at is not null")
            .param("ids", periods)
            .query(PeriodId.class)
            .list());
  }

  /** Finds periods that are not settled and whose live board was created or observed. */
  public List<PeriodId> unsettled() {
    return jdbc.sql(
            """
            select id from period
            where settled_at is null
              and (live_at is not null or seen_at is not null)
            order by id
            """)
        .query(PeriodId.class)
        .list();
  }

  /** Finds periods that were settled after a time, are not expired, and had a live board. */
  public List<Period> settledSince(Instant time) {
    return jdbc.sql(
            Periods.COLUMNS
                + """
                where settled_at > :time
                  and state = 'settled'
                  and (live_at is not null or seen_at is not null)
                order by id
                """)
        .param("time", time)
        .query(Period.class)
        .list();
  }

  /** Finds open periods that have begun, without a created or observed live board. */
  public List<Period> unobserved() {
    return jdbc.sql(
            Periods.COLUMNS
                + """
                where state = 'open' and seen_at is null and live_at is null and starts_at <= :now
                """)
        .param("now", clock.instant())
        .query(Period.class)
        .list();
  }

  public void markObserved(PeriodId id) {
    jdbc.sql("update period set seen_at = :now where id = :id and seen_at is null")
        .param("now", clock.instant())
        .param("id", id)
        .update();
  }

  /** Finds the hashes of the rules under which keys of the adopted board were observed. */
  public List<String> observedUnder(BoardId board) {
    return jdbc.sql(
            """
            select distinct definition_hash from period
            where board = :board and seen_at is not null
            """)
        .param("board", board)
        .query(String.class)
        .list();
  }

  /** Whether the keys of an adopted board were found only after its period was sealed. */
  public boolean wasFoundAfterSeal(PeriodId id) {
    return jdbc.sql("select rebuilt_members is not null from period where id = :id")
        .param("id", id)
        .query(Boolean.class)
        .single();
  }

  public boolean wasObserved(PeriodId id) {
    return jdbc.sql("select seen_at is not null from period where id = :id")
        .param("id", id)
        .query(Boolean.class)
        .single();
  }
}
