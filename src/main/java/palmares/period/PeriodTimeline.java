package palmares.period;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.CalendarTiling;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.Slot;

/**
 * Opens the periods of boards, so that they follow each other without gap or overlap even if the
 * calendar, the zone or the zone's rules change. A period that has begun keeps its boundaries. The
 * next one starts at its end, and ends where the current calendar says ({@link CalendarTiling}).
 */
@Component
public class PeriodTimeline {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodTimeline.class);

  /** Events may carry a time seconds ahead, so a period is fixed this long before its start. */
  private static final Duration FIXED_BEFORE_START = Duration.ofMinutes(1);

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final ApplicationEventPublisher events;
  private final AuditLog auditLog;

  PeriodTimeline(
      JdbcClient jdbc,
      Clock clock,
      Periods periods,
      BoardDefinitions definitions,
      ApplicationEventPublisher events,
      AuditLog auditLog) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.periods = periods;
    this.definitions = definitions;
    this.events = events;
    this.auditLog = auditLog;
  }

  /**
   * Returns the board's period that contains a time, and opens it under the board's current rules
   * if it is new. Returns empty if the calendar has no period at that time.
   */
  @Transactional
  public Optional<Period> open(Board board, Instant time) {
    return open(board, time, null);
  }

  /**
   * Returns or opens a period as {@link #open} does. If a new period is already over, it is not
   * closed until the import has ended.
   */
  @Transactional
  public Optional<Period> openForImport(ImportRuns.ImportRun run, Board board, Instant time) {
    return open(board, time, run);
  }

  private Optional<Period> open(Board board, Instant time, ImportRuns.@Nullable ImportRun run) {
    lock(board.id());
    if (periods.at(board.id(), time).isEmpty() && run == null) {
      createUpTo(board, time);
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

  /** Returns the slot of the period that {@link #open} would open; changes nothing. */
  public Optional<Slot> plan(Board board, Instant time) {
    return plan(board, time, null);
  }

  /**
   * @param replaced a period to ignore, as it will be replaced
   */
  private Optional<Slot> plan(Board board, Instant time, @Nullable Period replaced) {
    CalendarTiling.Gap gap = gap(board.id(), time, replaced);
    if (gap.from().isAfter(time)) { // Another transaction has just opened it.
      return periods
          .at(board.id(), time)
          .filter(period -> replaced == null || !period.id().equals(replaced.id()))
          .map(Period::slot);
    }
    var tiling =
        new CalendarTiling(
            board.calendar(),
            name ->
                (replaced == null || !replaced.name().equals(name))
                    && periods.find(board.id(), name).isPresent(),
            slot -> isExact(board, slot));
    return tiling.at(time, gap);
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
                limit 1) as end_before,
              (select min(starts_at) from period
                where board = :board and starts_at > :time and id <> :replaced) as start_after
            """)
        .param("board", board)
        .param("time", time)
        .param("replaced", replaced == null ? 0 : replaced.id().value())
        .query(Neighbours.class)
        .single()
        .gap();
  }

  private record Neighbours(@Nullable Instant endBefore, @Nullable Instant startAfter) {
    CalendarTiling.Gap gap() {
      return new CalendarTiling.Gap(
          Objects.requireNonNullElse(endBefore, Instant.MIN),
          Objects.requireNonNullElse(startAfter, Instant.MAX));
    }
  }

  /**
   * Creates the board's missing periods up to the one after the current one, including those missed
   * during downtime. A period that has not begun gets the board's current rules and calendar.
   */
  @Transactional
  public void prepare(Board board) {
    lock(board.id());
    Created created = createUpTo(board, clock.instant());
    if (created.next().isPresent()) {
      create(board, created.next().get(), created.latest(), created.ahead());
    } else if (created.ahead() != null) {
      // One that a person holds stays, and is closed when it is due.
      jdbc.sql(
              """
              delete from period
              where id = :id and not exists (select from person_hold where period_id = :id)
              """)
          .param("id", created.ahead().id())
          .update();
    }
  }

  /**
   * Gives a period that has begun a later end, which its file need not have. If its next period
   * would begin before, that begins then, and keeps its end. Called by the holder of the lease, in
   * the transaction of everything else that an extension changes.
   *
   * @param rules of the period
   * @param board as its file is now; empty if there is none
   * @return the period with its new end
   * @throws WrongState if the next period cannot be moved, or nothing would be left of it
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Period extend(
      Lease lease, Period period, Board rules, Optional<Board> board, Instant until) {
    lock(period.board());
    board.ifPresent(this::prepare);
    requireRoom(period, board, until);
    jdbc.sql("set constraints \"a board's periods do not overlap\" deferred").update();
    var slot = new Slot(period.name(), period.slot().startsAt(), until);
    int extended =
        jdbc.sql(
                """
                update period
                set ends_at = :ends, closes_at = :closes, expires_at = :expires,
                  failures = 0, failure = null, repair = null, retry_at = null
                where id = :id and fence = :fence and state = 'open'
                """)
            .param("ends", until)
            .param("closes", closesAt(rules, slot))
            .param("expires", expiry(rules, slot))
            .param("id", period.id())
            .param("fence", lease.fence())
            .update();
    if (extended != 1) {
      throw new Leases.StaleLease(lease);
    }
    board.ifPresent(this::prepare);
    one("where board = :board and starts_at > :starts and starts_at < :until", period, until)
        .ifPresent(
            next -> {
              throw cannotMove(period, next);
            });
    return periods.get(period.id());
  }

  /**
   * A next period that has begun, or may have events, is not moved; nor is one moved to nothing.
   */
  private void requireRoom(Period period, Optional<Board> board, Instant until) {
    one("where board = :board and starts_at > :starts and starts_at < :until", period, until)
        .ifPresent(
            next -> {
              if (ahead(period.board(), clock.instant()).filter(next::equals).isEmpty()) {
                throw cannotMove(period, next);
              }
              boolean ofFile =
                  board.flatMap(file -> file.calendar().named(next.name())).isPresent();
              if (ofFile && !next.slot().endsAt().isAfter(until)) {
                ZoneId zone = definitions.of(period).zone();
                throw new WrongState(
                    new PeriodSentences.NothingLeft(
                        period.label(),
                        until.atZone(zone),
                        next.label(),
                        next.slot().endsAt().atZone(zone)));
              }
            });
  }

  private static WrongState cannotMove(Period period, Period next) {
    return new WrongState(new PeriodSentences.NextNotMoved(period.label(), next.label()));
  }

  /**
   * The periods of a board around a time, after those up to it were created.
   *
   * @param latest the latest period that starts at or before the time; null if there is none
   * @param ahead a later period that may still be changed; null if there is none
   * @param next the slot of the next period, which is {@code ahead} or has no row
   */
  private record Created(@Nullable Period latest, @Nullable Period ahead, Optional<Slot> next) {}

  private Created createUpTo(Board board, Instant time) {
    Instant now = clock.instant();
    Period ahead = ahead(board.id(), now).orElse(null);
    Period latest = latestFixed(board.id(), now).orElse(null);
    Optional<Slot> slot = next(board, latest == null ? time : latest.slot().endsAt(), ahead);
    while (slot.isPresent() && !slot.get().startsAt().isAfter(time)) {
      // If the calendar changed, this slot may overlap the period ahead, or have its name.
      Period moved = ahead != null && conflicts(ahead.slot(), slot.get()) ? ahead : null;
      latest = create(board, slot.get(), latest, moved);
      ahead = moved == null ? ahead : null;
      slot = next(board, slot.get().endsAt(), ahead);
    }
    return new Created(latest, ahead, slot);
  }

  private static boolean conflicts(Slot ahead, Slot slot) {
    return ahead.name().equals(slot.name())
        || ahead.startsAt().isBefore(slot.endsAt()) && slot.startsAt().isBefore(ahead.endsAt());
  }

  /** Returns the slot that contains the time, or the first one after it. */
  private Optional<Slot> next(Board board, Instant time, @Nullable Period replaced) {
    Optional<Slot> there = slotAt(board, time, replaced);
    return there.isPresent()
        ? there
        : board
            .calendar()
            .startingFrom(time)
            .flatMap(first -> slotAt(board, first.startsAt(), replaced));
  }

  /** Returns when the period after this one starts, opened or not; empty if there is none. */
  public Optional<Instant> nextStart(Board board, Period period) {
    return next(board, period.slot().endsAt(), null).map(Slot::startsAt);
  }

  private Optional<Slot> slotAt(Board board, Instant time, @Nullable Period replaced) {
    return periods
        .at(board.id(), time)
        .filter(there -> replaced == null || !replaced.id().equals(there.id()))
        .map(Period::slot)
        .or(() -> plan(board, time, replaced));
  }

  private Period create(Board board, Slot slot, @Nullable Period former, @Nullable Period ahead) {
    boolean changed = former != null && !former.definitionHash().equals(board.source().hash());
    if (ahead == null) {
      if (periods.find(board.id(), slot.name()).isEmpty()) {
        insert(board, slot, null);
        warnOfChange(board, slot, changed ? former : null);
      }
    } else if (!ahead.slot().equals(slot)
        || !ahead.definitionHash().equals(board.source().hash())) {
      update(ahead.id(), board, slot);
      if (!ahead.name().equals(slot.name())) {
        renameHold(ahead, slot.name());
      }
      if (!ahead.slot().equals(slot) || !Objects.equals(ahead.closesAt(), closesAt(board, slot))) {
        events.publishEvent(new PeriodOpened(board.id(), slot, closesAt(board, slot), true));
      }
      if (!ahead.slot().equals(slot)) {
        warnOfChange(board, slot, former);
      }
    }
    return periods.find(board.id(), slot.name()).orElseThrow();
  }

  /** Warns if the period bridges two calendars. Called once, when its row is created or moved. */
  private static void warnOfChange(Board board, Slot slot, @Nullable Period former) {
    boolean kept = former != null && !CalendarTiling.isRegular(board.calendar(), former.slot());
    if (!kept && CalendarTiling.isRegular(board.calendar(), slot)) {
      return;
    }
    LOG.warn(
        "calendar changed board={}: {}its period {} is from {} to {}{}; '{}' shows the periods",
        board.id(),
        former == null
            ? ""
            : "period %s keeps its end %s; ".formatted(former.name(), former.slot().endsAt()),
        slot.name(),
        slot.startsAt(),
        slot.endsAt(),
        CalendarTiling.isRegular(board.calendar(), slot)
            ? ""
            : ", to bridge to the calendar of its file",
        Commands.of(Next.of("boards").with("fromDatabase", true)));
  }

  /**
   * Returns the slots of the current period and the next ones under the board's calendar; changes
   * nothing.
   */
  public List<Slot> preview(Board board, int count) {
    Instant now = clock.instant();
    Period ahead = ahead(board.id(), now).orElse(null);
    var slots = new ArrayList<Slot>();
    Optional<Slot> slot = next(board, now, ahead);
    while (slot.isPresent() && slots.size() < count) {
      slots.add(slot.get());
      Instant end = slot.get().endsAt();
      // Only the first new slot can meet a period of another calendar.
      slot =
          slots.size() < 2 || periods.at(board.id(), end).isPresent()
              ? next(board, end, ahead)
              : board.calendar().at(end).or(() -> board.calendar().startingFrom(end));
    }
    return slots;
  }

  /** Returns the boards for which {@link #prepare} may create or change periods. */
  public List<Board> unprepared(Collection<Board> boards) {
    var latest = new HashMap<String, Period>();
    jdbc.sql(
            """
            select latest.*
            from unnest(:boards::text[]) as wanted (name)
            cross join lateral (
            """
                + Periods.COLUMNS
                + """
                    where period.board = wanted.name and opened_by_import is null
                    order by starts_at desc
                    limit 1
                ) latest
                where latest.starts_at > :now
                """)
        .param("boards", boards.stream().map(Board::id).toList())
        .param("now", clock.instant())
        .query(Period.class)
        .list()
        .forEach(period -> latest.put(period.board().value(), period));
    return boards.stream()
        .filter(board -> !isPrepared(board, latest.get(board.id().value())))
        .toList();
  }

  private static boolean isPrepared(Board board, @Nullable Period latest) {
    return latest != null
        && latest.definitionHash().equals(board.source().hash())
        && CalendarTiling.isRegular(board.calendar(), latest.slot());
  }

  /** Finds the first period that may still be changed, because it cannot have an event. */
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
        .param("board", board)
        .param("fixed", now.plus(FIXED_BEFORE_START))
        .query(Period.class)
        .optional();
  }

  private Optional<Period> one(String where, Period period, Instant until) {
    return jdbc.sql(Periods.COLUMNS + where + " order by starts_at limit 1")
        .param("board", period.board())
        .param("starts", period.slot().startsAt())
        .param("until", until)
        .query(Period.class)
        .optional();
  }

  /** Prevents others from opening periods of the board until the transaction ends. */
  private void lock(BoardId board) {
    jdbc.sql("select pg_advisory_xact_lock(hashtextextended('periods of ' || :board, 0))")
        .param("board", board)
        .query(row -> {});
  }

  private void insert(Board board, Slot slot, @Nullable Long importRun) {
    write(
            board,
            slot,
            """
            insert into period (
              board, name, starts_at, ends_at, closes_at, definition_hash, opened_at,
              opened_by_import, expires_at)
            values (
              :board, :name, :starts, :ends, :closes::timestamptz, :hash, :now, :import::bigint,
              :expires)
            """)
        .param("board", board.id())
        .param("now", clock.instant())
        .param("import", importRun)
        .update();
    events.publishEvent(new PeriodOpened(board.id(), slot, closesAt(board, slot), false));
  }

  private void update(PeriodId id, Board board, Slot slot) {
    write(
            board,
            slot,
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
        .param("id", id)
        .update();
  }

  /**
   * The audit log has a person's hold under the name of the period, so also under the new one. The
   * former name may become that of another period, which nobody holds.
   */
  private void renameHold(Period renamed, PeriodName name) {
    jdbc.sql("select made_by, made_at, reason from person_hold where period_id = :id")
        .param("id", renamed.id())
        .query(Hold.class)
        .optional()
        .ifPresent(
            hold -> {
              BoardId board = renamed.board();
              auditLog.append(
                  AuditEntry.of(board, renamed.name(), "palmares", "lift-hold", null)
                      .with("renamedTo", name.value()));
              auditLog.append(
                  AuditEntry.of(board, name, hold.madeBy(), "hold", hold.reason())
                      .with("renamedFrom", renamed.name().value()),
                  hold.madeAt());
            });
  }

  private record Hold(String madeBy, Instant madeAt, String reason) {}

  /** Stores the board's rules, and sets the parameters that follow from board and slot. */
  private JdbcClient.StatementSpec write(Board board, Slot slot, String sql) {
    board.layout(slot); // throws if scores would not be exact
    definitions.store(board);
    Instant closes = closesAt(board, slot);
    return jdbc.sql(sql)
        .param("name", slot.name())
        .param("starts", slot.startsAt())
        .param("ends", slot.endsAt())
        .param("closes", closes)
        .param("hash", board.source().hash())
        .param("expires", expiry(board, slot));
  }

  private static @Nullable Instant closesAt(Board board, Slot slot) {
    return board.calendar().closes() ? slot.endsAt().plus(board.grace()) : null;
  }

  private static Instant expiry(Board board, Slot slot) {
    return slot.endsAt().atZone(board.zone()).plus(board.retention()).toInstant();
  }

  /**
   * A period's row was created or, before the period began, moved. Published in the same
   * transaction.
   *
   * @param closesAt when it becomes due; null if it never closes
   * @param moved whether the row existed before
   */
  public record PeriodOpened(BoardId board, Slot slot, @Nullable Instant closesAt, boolean moved) {}
}
