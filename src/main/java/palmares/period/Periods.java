package palmares.period;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.Slot;

/** All periods that were ever opened. */
@Component
public class Periods {
  static final String COLUMNS =
      """
      select
        id, board, name, starts_at, ends_at, closes_at, definition_hash, state, revision,
        coalesce(rebuilt_members, sealed_members) as members,
        coalesce(rebuilt_points, sealed_points) as points,
        coalesce(rebuilt_events, sealed_events) as events,
        expires_at
      from period
      """;

  private final JdbcClient jdbc;

  Periods(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Lets a past period that an import left open wait for the end of this one instead. */
  @Transactional
  public void claim(ImportRun run, PeriodId period) {
    jdbc.sql(
            """
            update period
            set opened_by_import = :import
            where id = :id and opened_by_import is not null and state = 'open'
            """)
        .param("import", run.id())
        .param("id", period.value())
        .update();
  }

  public Optional<Period> find(BoardId board, PeriodName name) {
    return jdbc.sql(COLUMNS + "where board = :board and name = :name")
        .param("board", board.value())
        .param("name", name.value())
        .query(Periods::row)
        .optional();
  }

  /** The board's period that the time lies in, whatever calendar it was opened under. */
  public Optional<Period> at(BoardId board, Instant time) {
    return jdbc.sql(
            COLUMNS + "where board = :board and starts_at <= :time and ends_at > :time limit 1")
        .param("board", board.value())
        .param("time", utc(time))
        .query(Periods::row)
        .optional();
  }

  /** The last of the board's periods that began by that time, be it over or not. */
  public Optional<Period> lastBegun(BoardId board, Instant time) {
    return jdbc.sql(
            COLUMNS + "where board = :board and starts_at <= :time order by starts_at desc limit 1")
        .param("board", board.value())
        .param("time", utc(time))
        .query(Periods::row)
        .optional();
  }

  public Period get(PeriodId id) {
    return jdbc.sql(COLUMNS + "where id = :id")
        .param("id", id.value())
        .query(Periods::row)
        .single();
  }

  /** Periods whose live boards may hold entries that are not in PostgreSQL yet. */
  public List<Period> open() {
    return jdbc.sql(COLUMNS + "where state = 'open' and live_at is not null order by starts_at")
        .query(Periods::row)
        .list();
  }

  /**
   * Keeps those of the periods that are open from being sealed until the transaction ends; others
   * may keep them open too.
   *
   * @return when each of them closes; empty for one that never does
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Map<PeriodId, Optional<Instant>> holdOpen(Collection<PeriodId> ids) {
    var open = new HashMap<PeriodId, Optional<Instant>>();
    Long[] periods = ids.stream().map(PeriodId::value).distinct().toArray(Long[]::new);
    jdbc.sql("select id from period where id = any(:periods) order by id for key share")
        .param("periods", periods)
        .query(row -> {});
    // Only the next statement sees what the seal that it waited for has committed: for this lock
    // PostgreSQL answers with the row as it was.
    jdbc.sql("select id, closes_at from period where id = any(:periods) and state = 'open'")
        .param("periods", periods)
        .query(
            row -> {
              open.put(
                  new PeriodId(row.getLong("id")),
                  Optional.ofNullable(row.getObject("closes_at", OffsetDateTime.class))
                      .map(OffsetDateTime::toInstant));
            });
    return open;
  }

  /**
   * Locks the period's row until the transaction ends, so that its state cannot change meanwhile.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public LiveMark lock(PeriodId id) {
    return jdbc.sql("select state, live_intended_at, live_at from period where id = :id for update")
        .param("id", id.value())
        .query(Periods::mark)
        .single();
  }

  /**
   * What PostgreSQL knows of a period's live board.
   *
   * @param live whether it was made; no event is on a board of which this is not known
   */
  public record LiveMark(PeriodState state, boolean live) {}

  static LiveMark mark(ResultSet row, int n) throws SQLException {
    return new LiveMark(PeriodState.of(row.getString("state")), row.getObject("live_at") != null);
  }

  static Period row(ResultSet row, int n) throws SQLException {
    var members = row.getObject("members", Long.class);
    OffsetDateTime closes = row.getObject("closes_at", OffsetDateTime.class);
    return new Period(
        new PeriodId(row.getLong("id")),
        new BoardId(row.getString("board")),
        new Slot(
            new PeriodName(row.getString("name")),
            instant(row, "starts_at"),
            instant(row, "ends_at")),
        closes == null ? null : closes.toInstant(),
        row.getString("definition_hash"),
        PeriodState.of(row.getString("state")),
        row.getInt("revision"),
        members == null
            ? null
            : new Population(
                members, row.getBigDecimal("points").longValueExact(), row.getLong("events")),
        instant(row, "expires_at"));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
