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
import palmares.bench.WrongResult;
import palmares.board.Board;
import palmares.board.BoardId;
import palmares.catalogue.BoardFile;
import palmares.catalogue.Catalogue;
import palmares.live.LiveBoards;
import palmares.time.SettableClock;

/** Closes seeded boards of a size, again and again, and reads off what it takes. */
public final class ClosingBench {
  private static final BoardId BOARD = new BoardId("bench-invites");
  private static final String FILE = BOARD + ".yml";

  /** Closings of nobody: the first of them finds everything cold. */
  private static final int EMPTY_RUNS = 5;

  private final Watcher watcher;
  private final Seeding seeding;
  private final RealClosing closing;
  private final LiveBoards live;
  private final Quiet quiet;
  private int day;

  /**
   * @param parts of an application on servers of its own, with {@link #board} and the clock
   */
  public ClosingBench(Parts parts, SettableClock clock, Watcher watcher) {
    Board board = parts.get(Catalogue.class).find(BOARD).orElseThrow();
    this.watcher = watcher;
    this.seeding = new Seeding(parts, board, clock);
    this.closing = new RealClosing(parts);
    this.live = parts.get(LiveBoards.class);
    this.quiet = new Quiet(parts);
  }

  /** The board that it closes. */
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
   * @param verify whether each closed period is derived anew and compared
   */
  public record Plan(List<Long> sizes, int runs, long seed, boolean verify) {}

  /**
   * Does all of it.
   *
   * @throws WrongResult if a closing does not come out as it must
   */
  public Figures measure(Plan plan) {
    var figures = new CloseFigures(plan.sizes().size() > 1);
    double empty = closeNobody();
    for (long members : plan.sizes()) {
      var runs = new ArrayList<Readings>();
      for (int run = 1; run <= plan.runs(); run++) {
        Readings readings = run(new Crowd(members, plan.seed(), ++day), plan);
        readings.note("fixed_seconds", empty);
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

  private Readings run(Crowd crowd, Plan plan) {
    var readings = new Readings();
    Ground ground = seeding.day(crowd, watcher);
    quiet.afterSeeding();
    StepTimes times = closing.close(ground.period());
    readings.note("close_seconds", times.seconds());
    readings.note("close_members_per_second", crowd.members() / times.seconds());
    times.secondsByStep().forEach((step, took) -> readings.note(step + "_seconds", took));
    watcher.say(
        "closed %s, %,d members, in %.2f s: %s"
            .formatted(
                ground.period().label(), crowd.members(), times.seconds(), times.secondsByStep()));
    if (plan.verify()) {
      closing.verify(ground.period());
    }
    live.drop(ground.period(), () -> {});
    return readings;
  }
}
