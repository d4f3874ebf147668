package palmares.bench.seeding;

import static java.time.ZoneOffset.UTC;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import palmares.bench.Beans;
import palmares.bench.ProgressListener;
import palmares.bench.ProgressListener.Task;
import palmares.live.board.LiveBoardCreation;
import palmares.period.Period;
import palmares.period.PeriodTimeline;
import palmares.platform.bulk.ParallelRunner;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.calendar.Slot;

/**
 * Creates periods with the events of a crowd. The application opens the period; the events' results
 * are loaded directly. Reconciliation at closing shows that both agree.
 */
public final class PeriodSeeder {
  private static final LocalDate FIRST_DAY = LocalDate.of(2026, 1, 1);

  private final SettableClock clock;
  private final Board board;
  private final ProgressListener progress;
  private final PeriodTimeline timeline;
  private final LiveBoardCreation starts;
  private final LiveBoardLoader live;
  private final JournalLoader journal;

  /**
   * @param board with daily periods and invitations worth one point each
   * @param clock the application's clock, which is set to the period's end
   */
  public PeriodSeeder(Beans beans, Board board, SettableClock clock, ProgressListener progress) {
    this.clock = clock;
    this.board = board;
    this.progress = progress;
    this.timeline = beans.get(PeriodTimeline.class);
    this.starts = beans.get(LiveBoardCreation.class);
    this.live = new LiveBoardLoader(beans);
    this.journal = new JournalLoader(beans);
  }

  /** Creates an empty period that has ended. */
  public Period empty(int day) {
    return end(start(day));
  }

  /** Creates a period with the crowd's events that has ended. */
  public SeededPeriod ended(Crowd crowd) {
    Period period = start(crowd.day());
    var seeded = new SeededPeriod(period, board, crowd, crowd.events());
    try (Task task = progress.begin("seed", crowd.members() + 2 * seeded.events())) {
      var done = new LongAdder();
      LongConsumer advance =
          more -> {
            done.add(more);
            task.at(done.sum());
          };
      ParallelRunner.run(
          List.of(
              () -> journal.load(seeded, 0, advance),
              () -> live.load(seeded, advance),
              () -> journal.load(seeded, 1, advance)));
    }
    journal.recordPosition(seeded);
    end(period);
    return seeded;
  }

  /** Creates an open period whose live board has the crowd's lines; its journal is empty. */
  public SeededPeriod open(Crowd crowd) {
    var seeded = new SeededPeriod(start(crowd.day()), board, crowd, crowd.events());
    try (Task task = progress.begin("seed " + board.id(), crowd.members())) {
      var done = new LongAdder();
      live.loadLines(
          seeded,
          more -> {
            done.add(more);
            task.at(done.sum());
          });
    }
    return seeded;
  }

  private Period start(int day) {
    Instant begin = FIRST_DAY.plusDays(day).atStartOfDay(UTC).toInstant();
    Slot slot = board.calendar().at(begin).orElseThrow();
    clock.set(slot.startsAt());
    Period period = timeline.open(board, begin).orElseThrow();
    starts.start(period, board);
    return period;
  }

  private Period end(Period period) {
    clock.set(Objects.requireNonNull(period.closesAt()));
    return period;
  }
}
