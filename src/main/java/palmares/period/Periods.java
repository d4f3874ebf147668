package palmares.period;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.Slot;

/** Finds and locks the rows of periods. */
@Component
public class Periods {
  /** What a {@link Period} is read from. */
  static final String ROW =
      """
      id, board, name, starts_at, ends_at, closes_at, definition_hash, state, revision,
      coalesce(rebuilt_members, sealed_members) as members,
      coalesce(rebuilt_points, sealed_points) as points,
      coalesce(rebuilt_events, sealed_events) as events,
      expires_at
      """;

  static final String COLUMNS = "select\n" + ROW + "from period\n";

  /** The first key of the advisory locks of turns; the second is one of {@link #TURNS}. */
  private static final int TURN_LOCK_ID = 0x7475726e;

  /** Periods share turns, so that an import into a thousand of them takes few locks. */
  private static final int TURNS = 64;

  private final JdbcClient jdbc;

  Periods(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Keeps a past period open until this import ends, if an earlier import left it open. */
  @Transactional
  public void assign(ImportRuns.ImportRun run, PeriodId period) {
    jdbc.sql(
            """
            update period
            set opened_by_import = :import
            where id = :id and opened_by_import is not null and state = 'open'
            """)
        .param("import", run.id())
        .param("id", period)
        .update();
  }

  public Optional<Period> find(BoardId board, PeriodName name) {
    return jdbc.sql(COLUMNS + "where board = :board and name = :name")
        .param("board", board)
        .param("name", name)
        .query(Period.class)
        .optional();
  }

  /** Finds the board's period that contains a time, under any calendar that the board had. */
  public Optional<Period> at(BoardId board, Instant time) {
    // Periods of a board do not overlap: only the latest one that has begun can contain the time. A
    // condition on both ends would read all periods before it.
    return jdbc.sql(
            """
            %s
            where id = (
                select id from period
                where board = :board and starts_at <= :time
                order by starts_at desc
                limit 1)
              and ends_at > :time
            """
                .formatted(COLUMNS))
        .param("board", board)
        .param("time", time)
        .query(Period.class)
        .optional();
  }

  /** Finds the latest of the board's periods that started at or before a time. */
  public Optional<Period> lastBegun(BoardId board, Instant time) {
    return jdbc.sql(
            COLUMNS + "where board = :board and starts_at <= :time order by starts_at desc limit 1")
        .param("board", board)
        .param("time", time)
        .query(Period.class)
        .optional();
  }

  /** Finds the periods of all boards that have the start and end of a slot, by board. */
  public List<Period> in(Slot slot) {
    return jdbc.sql(COLUMNS + "where starts_at = :starts and ends_at = :ends order by board")
        .param("starts", slot.startsAt())
        .param("ends", slot.endsAt())
        .query(Period.class)
        .list();
  }

  /** Finds those of the periods that exist. */
  public List<Period> find(Collection<PeriodId> ids) {
    return jdbc.sql(COLUMNS + "where id = any(:ids)").param("ids", ids).query(Period.class).list();
  }

  public Period get(PeriodId id) {
    return jdbc.sql(COLUMNS + "where id = :id").param("id", id).query(Period.class).single();
  }

  /** Finds open periods with a live board, whose journal may not be fully in PostgreSQL. */
  public List<Period> open() {
    return jdbc.sql(COLUMNS + "where state = 'open' and live_at is not null order by starts_at")
        .query(Period.class)
        .list();
  }

  /**
   * Prevents the periods from being sealed until the transaction ends. Several transactions may do
   * so at the same time, but a later one waits if the period is about to be {@link #lockToSeal
   * sealed}: row locks that are shared are not queued, so a closing would wait for as long as
   * imports go on.
   *
   * <p>After waiting for a seal, this statement sees the rows as they were before it. Only the next
   * one sees the state that the seal has committed.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void hold(Set<PeriodId> periods) {
    jdbc.sql(
            """
            with turn as materialized (
              select pg_advisory_xact_lock_shared(:lock, turn)
              from (
                select distinct (id % :turns)::int from unnest(:periods::bigint[]) as id order by 1
              ) as taken (turn)
            )
            select id from period
            where id = any(:periods) and (select count(*) from turn) > 0
            order by id for key share
            """)
        .param("lock", TURN_LOCK_ID)
        .param("turns", TURNS)
        .param("periods", periods)
        .query(row -> {});
  }

  /** {@link #hold Holds} the periods, and returns the open ones. */
  @Transactional(propagation = Propagation.MANDATORY)
  public Set<PeriodId> holdOpen(Collection<PeriodId> ids) {
    var periods = Set.copyOf(ids);
    hold(periods);
    return jdbc.sql("select id from period where id = any(:periods) and state = 'open'")
        .param("periods", periods)
        .query(PeriodId.class)
        .set();
  }

  /**
   * Waits for the transactions that {@link #hold hold} the period. One that is sealed is held by
   * none, and its row may be locked by its closing for as long as that takes.
   *
   * @throws org.springframework.dao.DataAccessException if one of them takes longer than two
   *     seconds
   */
  @Transactional
  public void awaitHolders(PeriodId id) {
    jdbc.sql("set local lock_timeout = '2s'").update();
    jdbc.sql("select id from period where id = :id and state = 'open' for update")
        .param("id", id)
        .query(row -> {});
  }

  /**
   * As {@link #lock}; transactions that would {@link #hold hold} the period wait for this one. A
   * closing has the row before, so nobody else may wait for the row while having the turn.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public LiveMark lockToSeal(PeriodId id) {
    jdbc.sql("select pg_advisory_xact_lock(:lock, :turn)")
        .param("lock", TURN_LOCK_ID)
        .param("turn", (int) (id.value() % TURNS))
        .query(row -> {});
    return lock(id);
  }

  /** Locks the period's row until the transaction ends, so that its state cannot change. */
  @Transactional(propagation = Propagation.MANDATORY)
  public LiveMark lock(PeriodId id) {
    return jdbc.sql(
            "select state, live_at is not null as live from period where id = :id for update")
        .param("id", id)
        .query(LiveMark.class)
        .single();
  }

  /**
   * A period's state, and whether its live board is marked as created.
   *
   * @param live false means that the board holds no event
   */
  public record LiveMark(PeriodState state, boolean live) {}
}
