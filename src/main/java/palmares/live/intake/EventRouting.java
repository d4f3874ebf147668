package palmares.live.intake;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.board.BoardChange;
import palmares.live.board.BoardChange.Arrival;
import palmares.live.board.LiveKeys;
import palmares.live.intake.PeriodOpening.Opening;
import palmares.live.journal.DecidedEvents;
import palmares.live.relay.RelayedEvent;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.BoardClock;
import palmares.rules.board.BoardId;
import palmares.rules.board.Durability;
import palmares.rules.calendar.Slot;
import palmares.rules.catalogue.Catalogue;

/** Works out which boards an event feeds, and in which period of each. */
@Component
class EventRouting {
  /** Clocks of callers may be so far ahead of ours. */
  private static final Duration SKEW = Duration.ofSeconds(10);

  private final Catalogue catalogue;
  private final PeriodOpening periodOpening;
  private final LateEvents late;
  private final Clock clock;

  EventRouting(Catalogue catalogue, PeriodOpening periodOpening, LateEvents late, Clock clock) {
    this.catalogue = catalogue;
    this.periodOpening = periodOpening;
    this.late = late;
    this.clock = clock;
  }

  /**
   * An event on its way to one live board.
   *
   * @param index its position in its batch
   * @param time what its period was found by
   */
  record Task(
      int index, Event event, Board board, Opening opening, Instant time, BoardChange change) {

    /** What the journal knows it by. */
    DecidedEvents.Key key() {
      return new DecidedEvents.Key(opening.period().id(), event.id(), change.digest());
    }

    PeriodId period() {
      return opening.period().id();
    }

    /** The same event on the live board of another period. */
    Task in(Opening other) {
      Period period = other.period();
      return new Task(
          index,
          event,
          board,
          other,
          time,
          change.on(new LiveKeys(period.board(), period.name()), time));
    }

    /** Whether it is acknowledged when PostgreSQL has it. */
    boolean isCommitted() {
      return opening.rules().durability() == Durability.COMMITTED;
    }

    /** Whether its period is that of the moment at which it came in. */
    boolean isTimedByServer() {
      return board.clock() == BoardClock.SERVER && change.arrival() == Arrival.NOW;
    }

    RelayedEvent delivery() {
      return new RelayedEvent(opening.period().id(), change);
    }
  }

  /**
   * The boards that the event is for.
   *
   * @throws Refusal if there is none, or none that its origin may write
   */
  List<Board> boards(Event event, EventOrigin origin) {
    if (origin instanceof EventOrigin.Api && event.id().startsWith(InviteCredits.PREFIX)) {
      throw new Refusal(
          RefusalReason.INVALID_FIELD,
          "an 'id' that begins with '%s' is a registration's".formatted(InviteCredits.PREFIX));
    }
    BoardId named = event.board();
    return named == null ? counting(event.action(), origin) : List.of(named(named, origin));
  }

  private List<Board> counting(String action, EventOrigin origin) {
    var all =
        catalogue.all().stream().filter(board -> board.actions().containsKey(action)).toList();
    if (all.isEmpty()) {
      throw new Refusal(
          RefusalReason.UNKNOWN_ACTION, "no board counts the action '%s'".formatted(action));
    }
    var allowed = all.stream().filter(board -> origin.mayWrite(board.id())).toList();
    if (allowed.isEmpty()) {
      throw new Refusal(
          RefusalReason.FORBIDDEN,
          "this key may write none of the boards that count '%s'".formatted(action));
    }
    return allowed;
  }

  private Board named(BoardId id, EventOrigin origin) {
    if (!origin.mayWrite(id)) {
      throw new Refusal(
          RefusalReason.FORBIDDEN, "this key may not write the board '%s'".formatted(id));
    }
    return catalogue
        .find(id)
        .orElseThrow(
            () ->
                new Refusal(
                    RefusalReason.UNKNOWN_BOARD,
                    "there is no board '%s', only %s"
                        .formatted(
                            id,
                            String.join(
                                ", ",
                                catalogue.all().stream().map(b -> b.id().value()).toList()))));
  }

  /**
   * @throws Refusal if the event cannot count on the board
   */
  Task task(int index, Event event, Board board, EventOrigin origin) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Instant occurredAt = occurredAt(event, board, origin, now);
    return task(index, event, board, origin, occurredAt, occurredAt == null ? now : occurredAt);
  }

  /**
   * The event in the period of the board that has just ended, where an earlier copy of it may have
   * counted; empty if there is none, or the event could not have counted in it.
   */
  Optional<Task> inPeriodBefore(int index, Event event, Board board, EventOrigin origin) {
    if (board.clock() != BoardClock.SERVER || !(origin instanceof EventOrigin.Api)) {
      return Optional.empty();
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    try {
      return periodOpening
          .justEnded(board, now)
          .map(opening -> task(index, event, board, origin, now, now, opening));
    } catch (Refusal refusal) {
      return Optional.empty();
    }
  }

  /** The same event again, where its live board said that it happened at another time. */
  Task again(Task task, EventOrigin origin, Instant time) {
    return task(task.index(), task.event(), task.board(), origin, task.change().occurredAt(), time);
  }

  private Task task(
      int index,
      Event event,
      Board board,
      EventOrigin origin,
      @Nullable Instant occurredAt,
      Instant time) {
    Opening opening =
        periodOpening
            .find(board, time, origin)
            .orElseThrow(() -> tooLate(event, board, periodOpening.slot(board, time), time));
    return task(index, event, board, origin, occurredAt, time, opening);
  }

  private static Task task(
      int index,
      Event event,
      Board board,
      EventOrigin origin,
      @Nullable Instant occurredAt,
      Instant time,
      Opening opening) {
    Board rules = opening.rules();
    Action action = EventPoints.action(event, rules);
    boolean later =
        rules.durability() == Durability.COMMITTED || origin instanceof EventOrigin.Ours;
    var change =
        new BoardChange(
            new LiveKeys(opening.period().board(), opening.period().name()),
            event.id(),
            event.member(),
            action,
            event.subject(),
            event.undo(),
            event.quantity(),
            EventPoints.worth(event, action, rules),
            later && occurredAt == null ? time : occurredAt, // whenever it is relayed
            origin instanceof EventOrigin.History ? Arrival.ANY : Arrival.NOW,
            action.goesByDay() ? BoardChange.Day.of(time, rules.zone()) : null,
            event.digest(rules.clock()));
    return new Task(index, event, board, opening, time, change);
  }

  private Refusal tooLate(Event event, Board board, Slot slot, Instant time) {
    if (!late.keep(board.id(), slot.name(), event, time)) {
      return new Refusal(
          RefusalReason.CONFLICTING_ID,
          "another event with the id '%s' came too late for the period %s"
              .formatted(event.id(), slot.name()));
    }
    return new Refusal(
        RefusalReason.LATE,
        "the period %s ended at %s, and its grace is over; this event is kept for staff to see"
            .formatted(slot.name(), slot.endsAt()));
  }

  private static @Nullable Instant occurredAt(
      Event event, Board board, EventOrigin origin, Instant now) {
    if (board.clock() == BoardClock.SERVER && !(origin instanceof EventOrigin.History)) {
      return null;
    }
    Instant occurredAt = event.occurredAt();
    if (occurredAt == null) {
      throw new Refusal(
          RefusalReason.MISSING_TIME,
          "the board '%s' needs 'occurredAt', as 2026-11-20T10:00:00Z".formatted(board.id()));
    }
    if (occurredAt.isAfter(now.plus(SKEW))) {
      throw new Refusal(
          RefusalReason.FUTURE_TIME,
          "'occurredAt' is %s, and now it is %s".formatted(occurredAt, now));
    }
    return occurredAt;
  }
}
