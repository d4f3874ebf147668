package palmares.live.intake;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.LiveBoardCreation;
import palmares.period.BoardDefinitions;
import palmares.period.ImportRuns;
import palmares.period.ImportRuns.ImportRun;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.PeriodTimeline;
import palmares.period.Periods;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Durability;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.Slot;

/** Finds the period that an event belongs to; opens it and creates its live board if needed. */
@Component
class PeriodOpening {
  /** The largest number of cached periods of a board; above it the board's cache is cleared. */
  private static final int MAX_CACHED_PERIODS = 10_000;

  private static final Duration PAUSE_AFTER_OUTAGE = Duration.ofSeconds(5);

  private final Periods periods;
  private final ImportRuns imports;
  private final PeriodTimeline timeline;
  private final BoardDefinitions definitions;
  private final LiveBoardCreation creation;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Map<BoardId, NavigableMap<Instant, Opening>> known = new ConcurrentHashMap<>();

  private final Set<PeriodId> withoutPrevious = ConcurrentHashMap.newKeySet();
  private final Set<Imported> imported = ConcurrentHashMap.newKeySet();

  /** Previous periods are not looked up before this time, after PostgreSQL did not answer. */
  private volatile Instant retryLookupAt = Instant.MIN;

  PeriodOpening(
      Periods periods,
      ImportRuns imports,
      PeriodTimeline timeline,
      BoardDefinitions definitions,
      LiveBoardCreation creation,
      TransactionTemplate transaction,
      Clock clock) {
    this.periods = periods;
    this.imports = imports;
    this.timeline = timeline;
    this.definitions = definitions;
    this.creation = creation;
    this.transaction = transaction;
    this.clock = clock;
  }

  /** A period of which a run has recorded that it imports events. */
  private record Imported(long run, PeriodId period) {}

  /** A period, and the rules that it was opened under; the board's file may have changed since. */
  record Opening(Period period, Board rules) {

    /** Whether the grace that its own rules gave it is not over. */
    boolean isInGrace(Instant now) {
      return now.isBefore(period.slot().endsAt().plus(rules.grace()));
    }
  }

  /**
   * Returns the rules under which an event of that time counts: those of the period that contains
   * it, or of the one that would be opened for it. Changes nothing.
   *
   * @throws EventRefusal if the board has no period at that time, or is adopted
   */
  Board rulesAt(Board board, Instant time) {
    Opening opened = findKnown(board, time);
    if (opened != null) {
      return opened.rules();
    }
    Optional<Board> there = periods.at(board.id(), time).map(definitions::of);
    Board rules = there.orElse(board);
    requireNotAdopted(rules);
    if (there.isEmpty()) {
      slotAt(board, time);
    }
    return rules;
  }

  /**
   * Finds the period that contains the time: one that exists, of the present or an earlier
   * calendar, or else the present calendar's, which is opened. Empty if that was never opened and
   * its grace is over; an import opens it still. Who imports events of a period is recorded before
   * they count.
   *
   * @param onNew is called before a period is opened; if it throws, none is
   * @throws EventRefusal if the board has no period at that time
   * @throws RedisUnavailable if the period's live board cannot be created now
   */
  Optional<Opening> find(Board board, Instant time, EventOrigin origin, Consumer<Slot> onNew) {
    Optional<Opening> found = findOrOpen(board, time, origin, onNew);
    found.ifPresent(
        opening -> origin.importRun().ifPresent(run -> recordImport(run, opening.period())));
    return found;
  }

  private void recordImport(ImportRun run, Period period) {
    var key = new Imported(run.id(), period.id());
    if (imported.contains(key)) {
      return;
    }
    // What is sealed stays so, and counts no event of the import.
    if (periods.get(period.id()).state() == PeriodState.OPEN) {
      periods.assign(run, period.id());
      imports.record(run, period);
    }
    if (imported.size() >= MAX_CACHED_PERIODS) {
      imported.clear();
    }
    imported.add(key);
  }

  private NavigableMap<Instant, Opening> known(BoardId board) {
    return known.computeIfAbsent(board, id -> new ConcurrentSkipListMap<>());
  }

  private @Nullable Opening findKnown(Board board, Instant time) {
    Map.Entry<Instant, Opening> before = known(board.id()).floorEntry(time);
    return before != null && before.getValue().period().slot().contains(time)
        ? before.getValue()
        : null;
  }

  private Optional<Opening> findOrOpen(
      Board board, Instant time, EventOrigin origin, Consumer<Slot> onNew) {
    Opening opened = findKnown(board, time);
    if (opened != null) {
      return Optional.of(opened);
    }
    Optional<Opening> found = transaction.execute(status -> open(board, time, origin, onNew));
    var ofBoard = known(board.id());
    if (ofBoard.size() >= MAX_CACHED_PERIODS) {
      ofBoard.clear();
    }
    found.ifPresent(
        fresh -> {
          createLiveBoardEarly(fresh, origin);
          ofBoard.put(fresh.period().slot().startsAt(), fresh);
        });
    return found;
  }

  /**
   * Finds the period that ended when this one began; empty if it was never opened. If PostgreSQL
   * does not answer, the result is empty too, so that events are still taken.
   */
  Optional<Opening> findPrevious(Opening opening) {
    Period period = opening.period();
    if (withoutPrevious.contains(period.id()) || clock.instant().isBefore(retryLookupAt)) {
      return Optional.empty();
    }
    Instant lastMoment = period.slot().startsAt().minusNanos(1_000);
    var ofBoard = known(period.board());
    Map.Entry<Instant, Opening> near = ofBoard.floorEntry(lastMoment);
    if (near != null && near.getValue().period().slot().contains(lastMoment)) {
      return Optional.of(near.getValue());
    }
    try {
      Optional<Opening> found =
          periods
              .at(period.board(), lastMoment)
              .map(before -> new Opening(before, definitions.of(before)));
      found.ifPresentOrElse(
          before -> ofBoard.put(before.period().slot().startsAt(), before),
          () -> withoutPrevious.add(period.id()));
      return found;
    } catch (DataAccessException away) {
      retryLookupAt = clock.instant().plus(PAUSE_AFTER_OUTAGE);
      return Optional.empty();
    }
  }

  /**
   * Creates the live board of a fast board at once, so that no event of the batch finds it missing.
   * The relay creates those of committed boards and for registrations, which need no Redis here.
   *
   * @throws RedisUnavailable if Redis does not answer; the board may exist or not
   */
  private void createLiveBoardEarly(Opening opening, EventOrigin origin) {
    boolean relayed =
        origin.isAlwaysCommitted() || opening.rules().durability() == Durability.COMMITTED;
    if (opening.period().state() == PeriodState.OPEN && !relayed) {
      createLiveBoard(opening);
    }
  }

  private Optional<Opening> open(
      Board board, Instant time, EventOrigin origin, Consumer<Slot> onNew) {
    return periods
        .at(board.id(), time)
        .map(Optional::of)
        .orElseGet(() -> openNew(board, time, origin, onNew))
        .map(
            period -> {
              Board rules = definitions.of(period);
              requireNotAdopted(rules);
              return new Opening(period, rules);
            });
  }

  private static void requireNotAdopted(Board rules) {
    rules
        .kind()
        .run(
            () -> {},
            adoption -> {
              throw new EventRefusal(
                  RefusalReason.ADOPTED,
                  new EventSentences.Adopted(rules.id().value(), adoption.keys().get(0).text()));
            });
  }

  /**
   * Returns the slot of the board's calendar that contains the time.
   *
   * @throws EventRefusal if the board has no period at that time
   */
  Slot slotAt(Board board, Instant time) {
    return timeline.plan(board, time).orElseThrow(() -> noPeriod(board, time));
  }

  private static EventRefusal noPeriod(Board board, Instant time) {
    return new EventRefusal(
        RefusalReason.NO_PERIOD,
        new EventSentences.NoPeriod(board.id().value(), time.atZone(board.zone())));
  }

  private Optional<Period> openNew(
      Board board, Instant time, EventOrigin origin, Consumer<Slot> onNew) {
    requireNotAdopted(board);
    Slot slot = slotAt(board, time);
    if (origin.importRun().isPresent()) {
      onNew.accept(slot);
      return Optional.of(
          timeline
              .openForImport(origin.importRun().get(), board, time)
              .orElseThrow(() -> noPeriod(board, time)));
    }
    if (!clock.instant().isBefore(slot.endsAt().plus(board.grace()))) {
      return Optional.empty();
    }
    onNew.accept(slot);
    return timeline.open(board, time);
  }

  /**
   * Creates the live board of an open period.
   *
   * @return whether the period is open, and so has its live board now
   * @throws palmares.live.board.LiveBoardGone if it had one that Redis has lost
   */
  boolean createLiveBoard(Opening opening) {
    return creation.start(opening.period(), opening.rules());
  }

  /**
   * Finds the board's latest period that has ended and whose grace is not over. For boards whose
   * present period does not exist, or refuses the event.
   */
  Optional<Opening> findJustEnded(Board board, Instant now) {
    Map.Entry<Instant, Opening> near = known(board.id()).floorEntry(now);
    if (near != null && near.getValue().period().slot().contains(now)) {
      return findPrevious(near.getValue()).filter(previous -> previous.isInGrace(now));
    }
    return periods
        .lastBegun(board.id(), now)
        .filter(period -> !period.slot().contains(now))
        .map(period -> new Opening(period, definitions.of(period)))
        .filter(previous -> previous.isInGrace(now))
        .filter(opening -> opening.rules().kind().countsEvents());
  }
}
