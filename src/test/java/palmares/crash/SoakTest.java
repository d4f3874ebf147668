package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.testing.FaultTable;

/**
 * Two servers play one day after the other while one of them is killed now and then. Nothing that
 * should stay grows, and nothing is lost. {@code -Dtests.soak=120} does so for 120 minutes, which
 * are some thousand days; the suite leaves it out.
 */
class SoakTest {
  private static final long MINUTES = Long.getLong("tests.soak", 0);
  private static final long SEED = Long.getLong("tests.kill-seed", 20_261_130);

  /** Between two kills, so that most measurements are of servers that run for long. */
  private static final int DAYS_OF_A_LIFE = 100;

  /** The first days fill caches and pools. */
  private static final int WARM_UP_DAYS = 20;

  /** What a settled history is made of may grow with it; all else may not. */
  private static final List<String> GROWING = List.of("tables", "table count");

  /** The growth over the whole time that is noise, as a share of the mean. */
  private static final double NOISE = 0.25;

  @TempDir private Path folder;

  @Test
  void nothingGrowsAndNothingIsLost() throws IOException {
    assumeThat(MINUTES).as("minutes").isPositive();
    var measured = new TreeMap<String, List<Double>>();
    var random = new Random(SEED);
    int days = 0;
    try (var world = new KillWorld(folder, 2, KillWorld.Filling.SHARED)) {
      long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
      while (System.nanoTime() < end) {
        world.play(new Random(random.nextLong()));
        if (++days % DAYS_OF_A_LIFE == 0) {
          world.kill(random.nextInt(2));
        } else if (days > WARM_UP_DAYS && days % DAYS_OF_A_LIFE > WARM_UP_DAYS) {
          world
              .measure()
              .forEach(
                  (name, value) ->
                      measured.computeIfAbsent(name, none -> new ArrayList<>()).add(value));
        }
      }
      world.verify();
      FaultTable.write("soak, in days played", days, world.acknowledged(), 0, SEED);
    }
    assertThat(measured).as("%d days are too few", days).isNotEmpty();
    var growing = new ArrayList<String>();
    measured.forEach(
        (name, values) -> {
          double slope = slope(values);
          double mean = values.stream().mapToDouble(value -> value).average().orElse(0);
          System.out.printf("%s: mean %.0f, slope %.3f a day%n", name, mean, slope);
          if (!GROWING.contains(name) && slope * values.size() > NOISE * mean) {
            growing.add("%s grows by %.3f a day, mean %.0f".formatted(name, slope, mean));
          }
        });
    assertThat(growing).as("%d days", days).isEmpty();
  }

  @Test
  void aSlopeIsThatOfTheLineThroughAllMeasurements() {
    assertThat(Map.of("flat", slope(List.of(5.0, 5.0, 5.0)), "up", slope(List.of(1.0, 3.0, 5.0))))
        .isEqualTo(Map.of("flat", 0.0, "up", 2.0));
  }

  /** Of the line with the least squares; the measurements are one unit apart. */
  private static double slope(List<Double> values) {
    double middle = (values.size() - 1) / 2.0;
    double mean = values.stream().mapToDouble(value -> value).average().orElse(0);
    double products = 0;
    double squares = 0;
    for (int i = 0; i < values.size(); i++) {
      products += (i - middle) * (values.get(i) - mean);
      squares += (i - middle) * (i - middle);
    }
    return squares == 0 ? 0 : products / squares;
  }
}
