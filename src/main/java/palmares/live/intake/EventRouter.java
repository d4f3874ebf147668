package palmares.live.intake;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.board.BoardChange;
import palmares.live.board.BoardChange.Arrival;
import palmares.live.board.Event;
import palmares.live.board.LiveKeys;
import palmares.live.intake.PeriodOpening.Opening;
import palmares.live.journal.StoredEvents;
import palmares.live.relay.RelayedEvent;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.Board.BoardClock;
import palmares.rules.board.Board.Durability;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.calendar.Slot;

/** Finds the boards that an event feeds, and its period on each. */
@Component
class EventRouter {
  /** How far a caller's clock may be ahead. */
  private static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(10);

  private final Catalogue catalogue;
  private final PeriodOpening periodOpening;
  private final LateEvents lateEvents;
  private final Clock clock;

  EventRouter(
      Catalogue catalogue, PeriodOpening periodOpening, LateEvents lateEvents, Clock clock) {
    this.catalogue = catalogue;
    this.periodOpening = periodOpening;
    this.lateEvents = lateEvents;
    this.clock = clock;
  }

  /**
   * An event on its way to one live board.
   *
   * @param index its position in its batch
   * @param time the time that decides its period
   */
  record RoutedEvent(
      int index, Event event, Board board, Opening opening, Instant time, BoardChange change) {
    StoredEvents.Key key() {
      return new StoredEvents.Key(opening.period().id(), event.id(), change.digest());
    }

    PeriodId period() {
      return opening.period().id();
    }

    /** Returns the same event for the live board of another period. */
    RoutedEvent in(Opening other) {
      Period period = other.period();
      return new RoutedEvent(
          index, event, board, other, time, change.on(LiveKeys.of(period), time));
    }

    /** Whether it is acknowledged once PostgreSQL has it. */
    boolean isCommitted() {
      return opening.rules().durability() == Durability.COMMITTED;
    }

    /** Whether its period depends on when it arrived. */
    boolean isTimedByServer() {
      return board.clock() == BoardClock.SERVER && change.arrival() == Arrival.NOW;
    }

    /** A commit may take long, so the server's clock decides its period again when it begins. */
    RelayedEvent toRelayedEvent() {
      Period period = opening.period();
      return new RelayedEvent(
          period.id(), change, isTimedByServer() ? period.slot().endsAt() : null);
    }
  }

  /**
   * Finds the boards that the event is for.
   *
   * @throws EventRefusal if there is none, or none that its origin may write
   */
  List<Board> findBoards(Event event, EventOrigin origin) {
    if (!origin.mayUseReservedIds() && event.id().startsWith(InviteCredits.PREFIX)) {
      throw new EventRefusal(
          RefusalReason.INVALID_FIELD, new EventSentences.ReservedId(InviteCredits.PREFIX));
    }
    BoardId named = event.board();
    return named == null ? counting(event.action(), origin) : List.of(named(named, origin));
  }

  private List<Board> counting(String action, EventOrigin origin) {
    var all =
        catalogue.all().stream().filter(board -> board.actions().containsKey(action)).toList();
    if (all.isEmpty()) {
      throw new EventRefusal(
          RefusalReason.UNKNOWN_ACTION, new EventSentences.UnknownAction(action));
    }
    var allowed = all.stream().filter(board -> origin.mayWrite(board.id())).toList();
    if (allowed.isEmpty()) {
      throw new EventRefusal(RefusalReason.FORBIDDEN, new EventSentences.MayWriteNone(action));
    }
    return allowed;
  }

  private Board named(BoardId id, EventOrigin origin) {
    if (!origin.mayWrite(id)) {
      throw new EventRefusal(RefusalReason.FORBIDDEN, new EventSentences.MayNotWrite(id.value()));
    }
    return catalogue
        .find(id)
        .orElseThrow(
            () ->
                new EventRefusal(
                    RefusalReason.UNKNOWN_BOARD,
                    new EventSentences.UnknownBoard(
                        id.value(),
                        catalogue.all().stream().map(board -> board.id().value()).toList())));
  }

  /**
   * An event that counts on a board by the rules of its time.
   *
   * @param occurredAt the time that it states; null if it counts by the server's
   * @param time the time that decides its period
   */
  record Countable(
      int index,
      Event event,
      Board board,
      EventOrigin origin,
      @Nullable Instant occurredAt,
      Instant time,
      Board rules) {}

  /**
   * Checks that the event counts on the board, before anything is changed for it.
   *
   * @throws EventRefusal if it does not
   */
  Countable requireCountable(int index, Event event, Board board, EventOrigin origin) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Instant occurredAt = occurredAt(event, board, origin, now);
    Instant time = occurredAt == null ? now : occurredAt;
    Board rules = periodOpening.rulesAt(board, time);
    EventPoints.worth(event, EventPoints.requireAction(event, rules), rules);
    EventPoints.requireOrigin(event, rules, origin);
    return new Countable(index, event, board, origin, occurredAt, time, rules);
  }

  /**
   * Routes the event to the board's period of its time, which is opened if needed.
   *
   * @throws EventRefusal if the event cannot count on the board
   */
  RoutedEvent route(Countable event) {
    return route(
        event.index(),
        event.event(),
        event.board(),
        event.origin(),
        event.occurredAt(),
        event.time());
  }

  /**
   * Routes the event to the board's period that has just ended, where an earlier copy may have
   * counted; empty if there is none, or the event could not have counted in it.
   */
  Optional<RoutedEvent> routeToPreviousPeriod(
      int index, Event event, Board board, EventOrigin origin) {
    if (board.clock() != BoardClock.SERVER || !origin.mayRepeatInNextPeriod()) {
      return Optional.empty();
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    try {
      return periodOpening
          .findJustEnded(board, now)
          .map(opening -> route(index, event, board, origin, now, now, opening));
    } catch (EventRefusal refusal) {
      return Optional.empty();
    }
  }

  /** Routes the event again after its live board answered that it happened at another time. */
  RoutedEvent routeAgain(RoutedEvent routed, EventOrigin origin, Instant time) {
    return route(
        routed.index(),
        routed.event(),
        routed.board(),
        origin,
        routed.isTimedByServer() ? null : routed.change().occurredAt(),
        time);
  }

  private RoutedEvent route(
      int index,
      Event event,
      Board board,
      EventOrigin origin,
      @Nullable Instant occurredAt,
      Instant time) {
    Opening opening =
        periodOpening
            .find(board, time, origin, slot -> EventPoints.requireFirst(event, board, slot))
            .orElseThrow(() -> tooLate(event, board, periodOpening.slotAt(board, time), time));
    return route(index, event, board, origin, occurredAt, time, opening);
  }

  private static RoutedEvent route(
      int index,
      Event event,
      Board board,
      EventOrigin origin,
      @Nullable Instant occurredAt,
      Instant time,
      Opening opening) {
    Board rules = opening.rules();
    Action action = EventPoints.requireAction(event, rules);
    boolean later = rules.durability() == Durability.COMMITTED || origin.isAlwaysCommitted();
    var change =
        new BoardChange(
            LiveKeys.of(opening.period()),
            event,
            action,
            EventPoints.worth(event, action, rules),
            later && occurredAt == null
                ? time
                : occurredAt, // does not depend on when it is relayed
            origin.arrival(),
            BoardChange.Day.of(action, time, rules),
            event.digest(rules.clock()));
    return new RoutedEvent(index, event, board, opening, time, change);
  }

  private EventRefusal tooLate(Event event, Board board, Slot slot, Instant time) {
    if (!lateEvents.store(board.id(), slot.name(), event, time)) {
      return new EventRefusal(
          RefusalReason.CONFLICTING_ID,
          new EventSentences.IdOfLateEvent(event.id(), slot.name().value()));
    }
    return new EventRefusal(
        RefusalReason.LATE,
        new EventSentences.TooLate(slot.name().value(), slot.endsAt().atZone(board.zone())));
  }

  private static @Nullable Instant occurredAt(
      Event event, Board board, EventOrigin origin, Instant now) {
    if (board.clock() == BoardClock.SERVER && !origin.statesTime()) {
      return null;
    }
    Instant occurredAt = event.occurredAt();
    if (occurredAt == null) {
      throw new EventRefusal(
          RefusalReason.MISSING_TIME, new EventSentences.MissingTime(board.id().value()));
    }
    if (occurredAt.isAfter(now.plus(MAX_CLOCK_SKEW))) {
      throw new EventRefusal(
          RefusalReason.FUTURE_TIME,
          new EventSentences.FutureTime(
              occurredAt.atZone(ZoneOffset.UTC), now.atZone(ZoneOffset.UTC)));
    }
    return occurredAt;
  }
}
