package palmares.bench.close;

import static java.time.ZoneOffset.UTC;

import java.time.LocalDate;
import java.util.Objects;
import palmares.bench.Parts;
import palmares.bench.Watcher;
import palmares.bench.Watcher.Task;
import palmares.board.Board;
import palmares.calendar.Slot;
import palmares.live.LiveStarts;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.time.SettableClock;

/**
 * Makes periods that a crowd has taken part in. They are opened by the application itself; what the
 * crowd did stands then where its events would have left it, which the closing proves.
 */
final class Seeding {
  private static final LocalDate FIRST_DAY = LocalDate.of(2026, 1, 1);

  private final SettableClock clock;
  private final Board board;
  private final Periods periods;
  private final LiveStarts starts;
  private final LiveLoad live;
  private final JournalLoad journal;

  Seeding(Parts parts, Board board, SettableClock clock) {
    this.clock = clock;
    this.board = board;
    this.periods = parts.get(Periods.class);
    this.starts = parts.get(LiveStarts.class);
    this.live = new LiveLoad(parts);
    this.journal = new JournalLoad(parts);
  }

  /** A period in which nobody takes part, over now. */
  Period nobody(int day) {
    Period period = open(day);
    return over(period);
  }

  /** A day of the crowd's, over now. */
  Ground day(Crowd crowd, Watcher watcher) {
    Period period = open(crowd.day());
    var ground = new Ground(period, board, crowd, crowd.events());
    try (Task task = watcher.begin("seed Redis", crowd.members())) {
      live.lines(ground, task);
    }
    try (Task task = watcher.begin("answers", ground.events())) {
      live.events(ground, task);
    }
    try (Task task = watcher.begin("seed journal", ground.events())) {
      journal.load(ground, task);
    }
    over(period);
    return ground;
  }

  private Period open(int day) {
    Slot slot = board.calendar().at(FIRST_DAY.plusDays(day).atStartOfDay(UTC).toInstant()).orElseThrow();
    clock.set(slot.startsAt());
    Period period = periods.open(board, slot);
    starts.start(period, board);
    return period;
  }

  private Period over(Period period) {
    clock.set(Objects.requireNonNull(period.closesAt()));
    return period;
  }
}
