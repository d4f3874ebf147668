package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.crash.SoakFigures.Line;
import palmares.crash.SoakFigures.Trend;
import palmares.testing.FaultJournal;

/**
 * Two servers settle boards of one-minute periods, while callers send at a steady rate, operators
 * act, and servers and stores fail. Nothing that should stay grows, and nothing is lost.
 *
 * <p>{@code -Dtests.soak=120} does so for 120 minutes. A soak that was stopped goes on; delete
 * {@code target/soak.tsv} to begin again. {@code target/soak-figures.tsv} has what was measured.
 */
class SoakTest {
  private static final int MINUTES = Integer.getInteger("tests.soak", 0);
  private static final long SEED = Long.getLong("tests.soak-seed", 38);

  /** Shorter runs have too few figures for a line. */
  private static final int MINUTES_FOR_LINES = 30;

  /** How many periods are played for each fault. */
  private static final int PERIODS_A_FAULT = 3;

  private static final String END = "flat and verified";

  @TempDir private Path folder;

  /** Takes two servers a minute of processor time, so that the suite leaves it to the campaign. */
  @Test
  void periodsAreSettledAsTheModelSaysWhileConnectionsBreak() throws IOException {
    assumeThat(MINUTES).as("minutes").isPositive();
    try (var play = new SoakPlay(folder, SEED, Duration.ofSeconds(2), true)) {
      play.period(SoakFault.CONNECTIONS_BREAK);
      play.verify();
      assertThat(play.acknowledged()).isPositive();
      var figures = new SoakFigures(folder.resolve("figures.tsv"));
      new SoakMeasures(play.world(), figures).measure(0, play.closingSeconds());
      assertThat(folder.resolve("figures.tsv")).content().contains("heap of server 1");
    }
  }

  @Test
  void aLineGoesThroughAllPointsAndGrowthWithinItsErrorIsNone() {
    Line up = Line.through(points(1, 3, 5));
    assertThat(up).isEqualTo(new Line(2, 0, 3));
    assertThat(trends(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23)).allMatch(Trend::grows);
    assertThat(trends(5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5)).noneMatch(Trend::grows);
    assertThat(trends(9, 9, 9, 9, 1, 9, 1, 9, 1, 9, 9, 9)).noneMatch(Trend::grows);
  }

  private static List<double[]> points(double... values) {
    var points = new ArrayList<double[]>();
    for (double value : values) {
      points.add(new double[] {points.size(), value});
    }
    return points;
  }

  private List<Trend> trends(double... values) {
    var figures = new SoakFigures(folder.resolve("figures.tsv"));
    points(values).forEach(point -> figures.add(point[0], "figure", 0, point[1]));
    List<Trend> trends = figures.trends();
    assertThat(trends).hasSize(1);
    return trends;
  }

  @Test
  void nothingGrowsAndNothingIsLost() throws IOException {
    assumeThat(MINUTES).as("minutes").isPositive();
    var journal = new FaultJournal("soak", "two servers soak, in minutes", SEED);
    var figures = new SoakFigures(Path.of("target", "soak-figures.tsv"));
    if (isDone(journal, 0)) {
      return;
    }
    try (var play = new SoakPlay(folder, SEED + journal.faults(), Duration.ofSeconds(20), false)) {
      var measures = new SoakMeasures(play.world(), figures);
      long begin = System.nanoTime();
      for (int n = 0; !isDone(journal, minutesSince(begin)); n++) {
        piece(play, measures, journal, SoakFault.values()[n % SoakFault.values().length]);
      }
      measures.addStatements();
      judge(play, figures.trends(), minutesSince(begin), journal);
    }
  }

  /** Whether all minutes are played, of which enough were at a stretch for lines. */
  private static boolean isDone(FaultJournal journal, double minutes) {
    return journal.faults() >= MINUTES && (journal.isKept(END) || minutes >= MINUTES_FOR_LINES);
  }

  private static double minutesSince(long nanos) {
    return (System.nanoTime() - nanos) / 60e9;
  }

  /** Plays some periods, of which one has a fault, and notes the minutes that they took. */
  private static void piece(
      SoakPlay play, SoakMeasures measures, FaultJournal journal, SoakFault fault)
      throws IOException {
    long before = journal.faults();
    String run = "from minute " + before;
    long acknowledged = play.acknowledged();
    long begin = System.nanoTime();
    try {
      for (int n = 0; n < PERIODS_A_FAULT; n++) {
        @Nullable SoakFault now = n == 1 ? fault : null;
        play.period(now);
        measures.measure(before + minutesSince(begin), play.closingSeconds());
      }
      play.requireCleanNights();
    } catch (AssertionError | RuntimeException e) {
      journal.note(run, 0, 0, fault + ": " + e.getMessage());
      throw e;
    }
    System.out.printf("%s: %s, %d acknowledged%n", run, fault, play.acknowledged());
    journal.note(
        run,
        Math.round(minutesSince(begin)),
        play.acknowledged() - acknowledged,
        FaultJournal.KEPT);
  }

  /** At the end, everything verifies, and nothing has grown. */
  private static void judge(
      SoakPlay play, List<Trend> trends, double minutes, FaultJournal journal) {
    trends.forEach(System.out::println);
    var wrong = new ArrayList<String>();
    try {
      play.verify();
    } catch (AssertionError e) {
      wrong.add(e.getMessage());
    }
    if (minutes >= MINUTES_FOR_LINES) {
      assertThat(trends).as("lines through figures").isNotEmpty();
      trends.stream()
          .filter(trend -> trend.grows() && SoakMeasures.mustStay(trend.name()))
          .map(Trend::toString)
          .forEach(wrong::add);
    }
    if (minutes >= MINUTES_FOR_LINES || !wrong.isEmpty()) {
      boolean isKept = wrong.isEmpty();
      journal.note(END, isKept ? 1 : 0, 0, isKept ? FaultJournal.KEPT : String.join("; ", wrong));
    }
    assertThat(wrong).isEmpty();
  }
}
