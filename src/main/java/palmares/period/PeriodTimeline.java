package palmares.period;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.CalendarTiling;
import palmares.rules.calendar.Slot;

/**
 * Opens each board's periods so that they tile time, whatever becomes of its calendar, its zone or
 * the zone's clocks. A period that has begun keeps its boundaries; the one after it begins where it
 * ends, and ends where the calendar in force says ({@link CalendarTiling}).
 */
@Component
public class PeriodTimeline {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodTimeline.class);

  /** An event may be ahead of its time by seconds: what begins so soon is no longer changed. */
  private static final Duration FIXED_BEFORE_START = Duration.ofMinutes(1);

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Periods periods;
  private final BoardDefinitions definitions;

  PeriodTimeline(JdbcClient jdbc, Clock clock, Periods periods, BoardDefinitions definitions) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.periods = periods;
    this.definitions = definitions;
  }

  /**
   * The board's period of that time, opened under the board's present rules if it is new; empty if
   * the calendar has none then.
   */
  @Transactional
  public Optional<Period> open(Board board, Instant time) {
    return open(board, time, null);
  }

  /**
   * As {@link #open}; the sweep leaves the period alone until the import has ended, if the period
   * was over before it.
   */
  @Transactional
  public Optional<Period> openFor(ImportRun run, Board board, Instant time) {
    return open(board, time, run);
  }

  private Optional<Period> open(Board board, Instant time, @Nullable ImportRun run) {
    lock(board.id());
    if (periods.at(board.id(), time).isEmpty() && run == null) {
      makeUpTo(board, time);
    }
    Optional<Period> there = periods.at(board.id(), time);
    if (there.isPresent()) {
      return there;
    }
    Optional<Slot> slot = plan(board, time, null);
    slot.ifPresent(
        planned -> {
          boolean over = !clock.instant().isBefore(planned.endsAt().plus(board.grace()));
          insert(board, planned, run != null && over ? run.id() : null);
        });
    return slot.flatMap(planned -> periods.find(board.id(), planned.name()));
  }

  /** What {@link #open} would open at a time that no period of the board holds yet. */
  public Optional<Slot> plan(Board board, Instant time) {
    return plan(board, time, null);
  }

  /**
   * @param replaced a period that is taken for not being there
   */
  private Optional<Slot> plan(Board board, Instant time, @Nullable Period replaced) {
    var tiling =
        new CalendarTiling(
            board.calendar(),
            name ->
                (replaced == null || !replaced.name().equals(name))
                    && periods.find(board.id(), name).isPresent(),
            slot -> isExact(board, slot));
    return tiling.at(time, gap(board.id(), time, replaced));
  }

  private static boolean isExact(Board board, Slot slot) {
    try {
      board.layout(slot);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private CalendarTiling.Gap gap(BoardId board, Instant time, @Nullable Period replaced) {
    return jdbc.sql(
            """
            select
              (select ends_at from period
                where board = :board and starts_at <= :time and id <> :replaced
                order by starts_at desc
                limit 1) as opens,
              (select min(starts_at) from period
                where board = :board and starts_at > :time and id <> :replaced) as closes
            """)
        .param("board", board.value())
        .param("time", utc(time))
        .param("replaced", replaced == null ? 0 : replaced.id().value())
        .query(
            (row, n) ->
                new CalendarTiling.Gap(
                    instant(row, "opens").orElse(Instant.MIN),
                    instant(row, "closes").orElse(Instant.MAX)))
        .single();
  }

  /**
   * Makes the board's rows up to the period after the present one, those among them that a downtime
   * left out. The one that has not begun takes on the board's present rules and calendar.
   */
  @Transactional
  public void prepare(Board board) {
    lock(board.id());
    Made made = makeUpTo(board, clock.instant());
    if (made.next().isPresent()) {
      make(board, made.next().get(), made.latest(), made.ahead());
    } else if (made.ahead() != null) {
      jdbc.sql("delete from period where id = :id").param("id", made.ahead().id().value()).update();
    }
  }

  /**
   * What was made up to a time.
   *
   * @param latest the period that is the latest then; null if there is none
   * @param ahead a row of a later one that may still be changed; null if there is none
   * @param next the first later one, which has no row or that one
   */
  private record Made(@Nullable Period latest, @Nullable Period ahead, Optional<Slot> next) {}

  private Made makeUpTo(Board board, Instant time) {
    Instant now = clock.instant();
    Period ahead = ahead(board.id(), now).orElse(null);
    Period latest = latestFixed(board.id(), now).orElse(null);
    Optional<Slot> slot = next(board, latest == null ? time : latest.slot().endsAt(), ahead);
    while (slot.isPresent() && !slot.get().startsAt().isAfter(time)) {
      // A calendar that begins earlier than the one before it may need the time or the name.
      Period moved = ahead != null && isInTheWay(ahead.slot(), slot.get()) ? ahead : null;
      latest = make(board, slot.get(), latest, moved);
      ahead = moved == null ? ahead : null;
      slot = next(board, slot.get().endsAt(), ahead);
    }
    return new Made(latest, ahead, slot);
  }

  private static boolean isInTheWay(Slot ahead, Slot slot) {
    return ahead.name().equals(slot.name())
        || ahead.startsAt().isBefore(slot.endsAt()) && slot.startsAt().isBefore(ahead.endsAt());
  }

  /** The period that holds the time, or the first one after it. */
  private Optional<Slot> next(Board board, Instant time, @Nullable Period replaced) {
    Optional<Slot> there = slotAt(board, time, replaced);
    return there.isPresent()
        ? there
        : board
            .calendar()
            .startingFrom(time)
            .flatMap(first -> slotAt(board, first.startsAt(), replaced));
  }

  private Optional<Slot> slotAt(Board board, Instant time, @Nullable Period replaced) {
    return periods
        .at(board.id(), time)
        .filter(there -> replaced == null || !replaced.id().equals(there.id()))
        .map(Period::slot)
        .or(() -> plan(board, time, replaced));
  }

  private Period make(Board board, Slot slot, @Nullable Period former, @Nullable Period ahead) {
    boolean seam = former != null && !former.definitionHash().equals(board.source().hash());
    if (ahead == null) {
      if (periods.find(board.id(), slot.name()).isEmpty()) {
        insert(board, slot, null);
        tellSeam(board, slot, seam ? former : null);
      }
    } else if (!ahead.slot().equals(slot)
        || !ahead.definitionHash().equals(board.source().hash())) {
      update(ahead.id(), board, slot);
      if (!ahead.slot().equals(slot)) {
        tellSeam(board, slot, former);
      }
    }
    return periods.find(board.id(), slot.name()).orElseThrow();
  }

  /** Once, when the row is made or moved. */
  private static void tellSeam(Board board, Slot slot, @Nullable Period former) {
    boolean kept = former != null && !CalendarTiling.isOwn(board.calendar(), former.slot());
    if (!kept && CalendarTiling.isOwn(board.calendar(), slot)) {
      return;
    }
    LOG.warn(
        "calendar changed board={}: {}its period {} is from {} to {}{}; 'palmares boards --check'"
            + " shows the periods",
        board.id(),
        former == null
            ? ""
            : "period %s keeps its end %s; ".formatted(former.name(), former.slot().endsAt()),
        slot.name(),
        slot.startsAt(),
        slot.endsAt(),
        CalendarTiling.isOwn(board.calendar(), slot)
            ? ""
            : ", to bridge to the calendar of its file");
  }

  /**
   * The periods that the board has and will have: the present one, and those after it under the
   * calendar of its file. Changes nothing.
   */
  public List<Slot> outlook(Board board, int count) {
    Instant now = clock.instant();
    Period ahead = ahead(board.id(), now).orElse(null);
    var slots = new ArrayList<Slot>();
    Optional<Slot> slot = next(board, now, ahead);
    while (slot.isPresent() && slots.size() < count) {
      slots.add(slot.get());
      Instant end = slot.get().endsAt();
      // Only the first that is new can meet a period of another calendar.
      slot =
          slots.size() < 2 || periods.at(board.id(), end).isPresent()
              ? next(board, end, ahead)
              : board.calendar().at(end).or(() -> board.calendar().startingFrom(end));
    }
    return slots;
  }

  /** Those of the boards whose rows {@link #prepare} may make or change. */
  public List<Board> unprepared(Collection<Board> boards) {
    var latest = new HashMap<String, Period>();
    jdbc.sql(
            """
            select latest.*
            from unnest(:boards::text[]) as asked (name)
            cross join lateral (
            """
                + Periods.COLUMNS
                + """
                    where period.board = asked.name and opened_by_import is null
                    order by starts_at desc
                    limit 1
                ) latest
                where latest.starts_at > :now
                """)
        .param("boards", boards.stream().map(board -> board.id().value()).toArray(String[]::new))
        .param("now", utc(clock.instant()))
        .query(Periods::row)
        .list()
        .forEach(period -> latest.put(period.board().value(), period));
    return boards.stream()
        .filter(board -> !isPrepared(board, latest.get(board.id().value())))
        .toList();
  }

  private static boolean isPrepared(Board board, @Nullable Period latest) {
    return latest != null
        && latest.definitionHash().equals(board.source().hash())
        && CalendarTiling.isOwn(board.calendar(), latest.slot());
  }

  /** The first period that may still be changed, since no event can have touched it. */
  private Optional<Period> ahead(BoardId board, Instant now) {
    return one(
        """
        where board = :board
          and opened_by_import is null
          and starts_at > :fixed
          and live_intended_at is null
          and state = 'open'
        order by starts_at
        limit 1
        """,
        board,
        now);
  }

  private Optional<Period> latestFixed(BoardId board, Instant now) {
    return one(
        """
        where board = :board
          and opened_by_import is null
          and (starts_at <= :fixed or live_intended_at is not null)
        order by starts_at desc
        limit 1
        """,
        board,
        now);
  }

  private Optional<Period> one(String where, BoardId board, Instant now) {
    return jdbc.sql(Periods.COLUMNS + where)
        .param("board", board.value())
        .param("fixed", utc(now.plus(FIXED_BEFORE_START)))
        .query(Periods::row)
        .optional();
  }

  /** Until the transaction ends nobody else opens a period of the board. */
  private void lock(BoardId board) {
    jdbc.sql("select pg_advisory_xact_lock(hashtextextended('periods of ' || :board, 0))")
        .param("board", board.value())
        .query((row, n) -> true)
        .single();
  }

  private void insert(Board board, Slot slot, @Nullable Long importRun) {
    board.layout(slot);
    definitions.keep(board);
    jdbc.sql(
            """
            insert into period (
              board, name, starts_at, ends_at, closes_at, definition_hash, opened_at,
              opened_by_import, expires_at)
            values (
              :board, :name, :starts, :ends, :closes::timestamptz, :hash, :now, :import::bigint,
              :expires)
            """)
        .param("board", board.id().value())
        .param("name", slot.name().value())
        .param("starts", utc(slot.startsAt()))
        .param("ends", utc(slot.endsAt()))
        .param("closes", closes(board, slot))
        .param("hash", board.source().hash())
        .param("now", utc(clock.instant()))
        .param("import", importRun)
        .param("expires", utc(expiry(board, slot)))
        .update();
  }

  private void update(PeriodId id, Board board, Slot slot) {
    board.layout(slot);
    definitions.keep(board);
    jdbc.sql(
            """
            update period
            set
              name = :name,
              starts_at = :starts,
              ends_at = :ends,
              closes_at = :closes,
              definition_hash = :hash,
              expires_at = :expires,
              seen_at = case when name = :name then seen_at end
            where id = :id and live_intended_at is null
            """)
        .param("name", slot.name().value())
        .param("starts", utc(slot.startsAt()))
        .param("ends", utc(slot.endsAt()))
        .param("closes", closes(board, slot))
        .param("hash", board.source().hash())
        .param("expires", utc(expiry(board, slot)))
        .param("id", id.value())
        .update();
  }

  private static @Nullable OffsetDateTime closes(Board board, Slot slot) {
    return board.calendar().closes() ? utc(slot.endsAt().plus(board.grace())) : null;
  }

  private static Instant expiry(Board board, Slot slot) {
    return slot.endsAt().atZone(board.zone()).plus(board.retention()).toInstant();
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
