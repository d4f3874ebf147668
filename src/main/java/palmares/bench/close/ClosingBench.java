package palmares.bench.close;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import palmares.bench.Figures;
import palmares.bench.Measured;
import palmares.bench.Parts;
import palmares.bench.Watcher;
import palmares.bench.Watcher.Task;
import palmares.bench.WrongResult;
import palmares.bench.crowd.Crowd;
import palmares.bench.crowd.Ground;
import palmares.bench.crowd.Seeding;
import palmares.bench.gauge.Quiet;
import palmares.live.board.LiveBoards;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.BoardFile;
import palmares.rules.catalogue.Catalogue;

/**
 * Closes seeded boards of a size, again and again, and reads off what it takes: beside the floor of
 * its parts, and beside the usual way.
 */
public final class ClosingBench {
  /** The name of the board that it closes. */
  public static final BoardId BOARD = new BoardId("bench-invites");

  private static final String FILE = BOARD + ".yml";

  /** Closings of nobody: the first of them finds everything cold. */
  private static final int EMPTY_RUNS = 5;

  private final Watcher watcher;
  private final Seeding seeding;
  private final Observed closing;
  private final Floor floor;
  private final UsualWay usualWay;
  private final LiveBoards live;
  private final Quiet quiet;
  private int day;

  /**
   * @param parts of an application on servers of its own, with {@link #board} and the clock
   */
  public ClosingBench(Parts parts, SettableClock clock, Watcher watcher) {
    Board board = parts.get(Catalogue.class).find(BOARD).orElseThrow();
    this.watcher = watcher;
    this.seeding = new Seeding(parts, board, clock, watcher);
    this.closing = new Observed(parts, watcher);
    this.floor = new Floor(parts);
    this.usualWay = new UsualWay(parts);
    this.live = parts.get(LiveBoards.class);
    this.quiet = new Quiet(parts);
  }

  /** The file of that board. */
  public static BoardFile board() {
    try (InputStream in = ClosingBench.class.getResourceAsStream("/bench/" + FILE)) {
      byte[] text = Objects.requireNonNull(in, FILE).readAllBytes();
      return new BoardFile(FILE, new String(text, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(FILE, e);
    }
  }

  /**
   * What is to be measured.
   *
   * @param sizes how many members the boards have, one after the other
   * @param runs how often each is closed: on as many days, by the same members
   * @param seed what the members and all that they do are drawn from
   * @param beside what else is done
   */
  public record Plan(List<Long> sizes, int runs, long seed, Beside beside) {}

  /**
   * What is done beside the closings.
   *
   * @param verify derives each closed period anew, and compares
   * @param mostUsual the largest board that is closed the usual way too
   */
  public record Beside(boolean verify, long mostUsual) {}

  /**
   * Does all of it.
   *
   * @throws WrongResult if a closing, the floor or the usual way does not come out as it must
   */
  public Figures measure(Plan plan) {
    var figures = new CloseFigures(plan.sizes());
    double fixed = closeNobody();
    for (long members : plan.sizes()) {
      var runs = new ArrayList<Readings>();
      for (int run = 1; run <= plan.runs(); run++) {
        var readings = new Readings();
        readings.note("fixed_seconds", fixed);
        run(new Crowd(members, plan.seed(), ++day), plan.beside(), readings);
        runs.add(readings);
      }
      figures.add(members, runs);
    }
    return figures.all();
  }

  /** What closings cost whatever they close: seconds. */
  private double closeNobody() {
    var seconds = new ArrayList<Double>();
    for (int run = 0; run < EMPTY_RUNS; run++) {
      seconds.add(closing.close(seeding.nobody(++day)).seconds());
    }
    return Measured.median(seconds);
  }

  private void run(Crowd crowd, Beside beside, Readings readings) {
    Ground ground = closing.seed(seeding, crowd, readings);
    quiet.await();
    Outcome outcome = closing.close(ground, readings);
    watcher.say(
        "closed %s, %,d members, in %.2f s"
            .formatted(ground.period().label(), crowd.members(), readings.get("close_seconds")));
    quiet.await();
    floor
        .measure(ground, closing.outcomeOf(ground.period()), readings)
        .requireSame("the floor", outcome);
    if (crowd.members() <= beside.mostUsual()) {
      closeTheUsualWay(ground, outcome, readings);
    }
    if (beside.verify()) {
      quiet.await();
      closing.verify(ground, readings);
    }
    live.delete(ground.period(), () -> {});
  }

  private void closeTheUsualWay(Ground ground, Outcome outcome, Readings readings) {
    quiet.await();
    try (Task task = watcher.begin("usual way", ground.crowd().members())) {
      readings.note(
          "usual_seconds", Measured.seconds(Measured.time(() -> usualWay.close(ground, task))));
    }
    usualWay.outcome().requireSame("the usual way", outcome);
    usualWay.drop();
  }
}
