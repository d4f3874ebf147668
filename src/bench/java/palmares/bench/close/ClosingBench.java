package palmares.bench.close;

import java.util.ArrayList;
import java.util.List;
import palmares.bench.Beans;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.ProgressListener.Task;
import palmares.bench.Resource;
import palmares.bench.Timing;
import palmares.bench.WrongResult;
import palmares.bench.gauge.IdleServers;
import palmares.bench.seeding.Crowd;
import palmares.bench.seeding.PeriodSeeder;
import palmares.bench.seeding.SeededPeriod;
import palmares.live.board.LiveBoards;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardFile;
import palmares.rules.boardfiles.Catalogue;

/** Measures closings of seeded boards, the floor of their parts, and the usual way. */
public final class ClosingBench {
  /** The board that is closed. */
  public static final BoardId BOARD = new BoardId("bench-invites");

  /** Number of closings of an empty board; the first runs on a cold JVM. */
  private static final int EMPTY_RUNS = 5;

  private final ProgressListener progress;
  private final PeriodSeeder seeder;
  private final MeasuredClosings closing;
  private final Floor floor;
  private final UsualWay usualWay;
  private final LiveBoards live;
  private final IdleServers idle;
  private int day;

  /**
   * @param beans of an application that uses {@link #board}, the clock, and servers without other
   *     data
   */
  public ClosingBench(Beans beans, SettableClock clock, ProgressListener progress) {
    Board board = beans.get(Catalogue.class).find(BOARD).orElseThrow();
    this.progress = progress;
    this.seeder = new PeriodSeeder(beans, board, clock, progress);
    this.closing = new MeasuredClosings(beans, progress);
    this.floor = new Floor(beans);
    this.usualWay = new UsualWay(beans);
    this.live = beans.get(LiveBoards.class);
    this.idle = new IdleServers(beans);
  }

  /** The board file. */
  public static BoardFile board() {
    return Resource.board(BOARD + ".yml");
  }

  /**
   * What to measure.
   *
   * @param sizes members of the boards that are closed, one board after the other
   * @param runs closings of each size: the same members on as many days
   * @param seed of the members and their events
   * @param verify whether each closed period is verified
   * @param maxUsual members of the largest board that is also closed the usual way
   */
  public record Plan(List<Long> sizes, int runs, long seed, boolean verify, long maxUsual) {}

  /**
   * Measures all sizes.
   *
   * @throws WrongResult if a closing fails, or the floor or the usual way differs from it
   */
  public Figures measure(Plan plan) {
    var figures = new CloseFigures(plan.sizes());
    double fixed = closeEmptyBoard();
    for (long members : plan.sizes()) {
      var runs = new ArrayList<Readings>();
      for (int run = 1; run <= plan.runs(); run++) {
        var readings = new Readings();
        readings.note("fixed_seconds", fixed);
        run(new Crowd(members, plan.seed(), ++day), plan, readings);
        runs.add(readings);
      }
      figures.add(members, runs);
    }
    return figures.all();
  }

  /** Seconds that the closing of an empty board takes. */
  private double closeEmptyBoard() {
    var seconds = new ArrayList<Double>();
    for (int run = 0; run < EMPTY_RUNS; run++) {
      seconds.add(closing.close(seeder.empty(++day)).seconds());
    }
    return Timing.median(seconds);
  }

  private void run(Crowd crowd, Plan plan, Readings readings) {
    SeededPeriod seeded = closing.seed(seeder, crowd, readings);
    idle.await();
    ClosingTotals outcome = closing.close(seeded, readings);
    progress.report(
        "closed %s, %,d members, in %.2f s"
            .formatted(seeded.period().label(), crowd.members(), readings.get("close_seconds")));
    idle.await();
    floor
        .measure(seeded, closing.outcomeOf(seeded.period()), readings)
        .requireSame("the floor", outcome);
    if (crowd.members() <= plan.maxUsual()) {
      closeTheUsualWay(seeded, outcome, readings);
    }
    if (plan.verify()) {
      idle.await();
      closing.verify(seeded, readings);
    }
    live.delete(seeded.period(), () -> {});
  }

  private void closeTheUsualWay(SeededPeriod seeded, ClosingTotals outcome, Readings readings) {
    idle.await();
    try (Task task = progress.begin("usual way", seeded.crowd().members())) {
      readings.note(
          "usual_seconds", Timing.seconds(Timing.time(() -> usualWay.close(seeded, task))));
    }
    usualWay.outcome().requireSame("the usual way", outcome);
    usualWay.drop();
  }
}
