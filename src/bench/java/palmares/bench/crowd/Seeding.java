package palmares.bench.crowd;

import static java.time.ZoneOffset.UTC;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import palmares.bench.Parts;
import palmares.bench.Watcher;
import palmares.bench.Watcher.Task;
import palmares.live.board.LiveBoardCreation;
import palmares.period.Period;
import palmares.period.PeriodTimeline;
import palmares.platform.bulk.ParallelRunner;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.calendar.Slot;

/**
 * Makes periods that a crowd has taken part in. They are opened by the application itself; what the
 * crowd did stands then where its events would have left it, which the closing proves.
 */
public final class Seeding {
  private static final LocalDate FIRST_DAY = LocalDate.of(2026, 1, 1);

  private final SettableClock clock;
  private final Board board;
  private final Watcher watcher;
  private final PeriodTimeline timeline;
  private final LiveBoardCreation starts;
  private final LiveLoad live;
  private final JournalLoad journal;

  /**
   * @param board that counts invitations, each worth one point, on days
   * @param clock the application's own, which is moved
   */
  public Seeding(Parts parts, Board board, SettableClock clock, Watcher watcher) {
    this.clock = clock;
    this.board = board;
    this.watcher = watcher;
    this.timeline = parts.get(PeriodTimeline.class);
    this.starts = parts.get(LiveBoardCreation.class);
    this.live = new LiveLoad(parts);
    this.journal = new JournalLoad(parts);
  }

  /** A period in which nobody takes part, over now. */
  public Period nobody(int day) {
    return over(open(day));
  }

  /** A day of the crowd's, over now. */
  public Ground day(Crowd crowd) {
    Period period = open(crowd.day());
    var ground = new Ground(period, board, crowd, crowd.events());
    try (Task task = watcher.begin("seed", crowd.members() + 2 * ground.events())) {
      var done = new LongAdder();
      LongConsumer advance =
          more -> {
            done.add(more);
            task.at(done.sum());
          };
      ParallelRunner.run(
          List.of(
              () -> journal.load(ground, 0, advance),
              () -> live.load(ground, advance),
              () -> journal.load(ground, 1, advance)));
    }
    journal.drained(ground);
    over(period);
    return ground;
  }

  /** A day of the crowd's, still open, on whose live board it stands and nowhere else. */
  public Ground live(Crowd crowd) {
    var ground = new Ground(open(crowd.day()), board, crowd, crowd.events());
    try (Task task = watcher.begin("seed " + board.id(), crowd.members())) {
      var done = new LongAdder();
      live.stand(
          ground,
          more -> {
            done.add(more);
            task.at(done.sum());
          });
    }
    return ground;
  }

  private Period open(int day) {
    Instant begin = FIRST_DAY.plusDays(day).atStartOfDay(UTC).toInstant();
    Slot slot = board.calendar().at(begin).orElseThrow();
    clock.set(slot.startsAt());
    Period period = timeline.open(board, begin).orElseThrow();
    starts.start(period, board);
    return period;
  }

  private Period over(Period period) {
    clock.set(Objects.requireNonNull(period.closesAt()));
    return period;
  }
}
