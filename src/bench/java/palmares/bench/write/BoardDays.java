package palmares.bench.write;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import palmares.live.board.LiveBoards;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Population;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.calendar.Slot;

/** Provides an empty daily period for each measurement. */
final class BoardDays {
  private static final Duration NOON = Duration.ofHours(12);
  private static final PeriodId NONE = new PeriodId(0);

  private final Board board;
  private final SettableClock clock;
  private final LiveBoards live;

  BoardDays(Board board, SettableClock clock, LiveBoards live) {
    this.board = board;
    this.clock = clock;
    this.live = live;
  }

  Board board() {
    return board;
  }

  /** Sets the clock to noon of the next day. */
  Slot next() {
    Slot today = slot(clock.instant());
    Slot next = slot(today.endsAt());
    clock.set(next.startsAt().plus(NOON));
    clock.run();
    return next;
  }

  private Slot slot(Instant time) {
    return board.calendar().at(time).orElseThrow();
  }

  /** The period of a day, without a row in PostgreSQL. */
  Period unrecorded(Slot day) {
    return new Period(
        NONE,
        board.id(),
        day,
        day.endsAt().plus(board.grace()),
        board.source().hash(),
        PeriodState.OPEN,
        1,
        null,
        day.endsAt());
  }

  /** Counts a period's live board, and drops it. */
  Optional<Population> collect(Period period) {
    Optional<Population> held = live.seal(period);
    live.delete(period, () -> {});
    return held;
  }
}
