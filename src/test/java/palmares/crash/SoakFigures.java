package palmares.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is measured once a minute, and a line fitted through each figure: one for each life of what
 * it is measured of, as a restart begins again. The median of their slopes says whether it grows.
 */
final class SoakFigures {
  /** The growth in an hour that is noise, as a share of the mean. */
  private static final double NOISE = 0.2;

  /** How many standard errors a slope must be above zero. */
  private static final double SURE = 3;

  /** The first minutes of a life fill caches and pools. */
  private static final int WARM_UP_MINUTES = 4;

  /** A line through fewer points says nothing. */
  private static final int MIN_POINTS = 8;

  private final Path file;
  private final Map<String, Map<Integer, List<Point>>> points = new TreeMap<>();

  private record Point(double minute, double value) {}

  /**
   * @param file gets a line for each measurement
   */
  SoakFigures(Path file) {
    this.file = file;
  }

  /**
   * A line through all points of a life.
   *
   * @param slope its growth in a minute
   * @param error the standard error of the slope
   */
  record Line(double slope, double error, double mean) {
    static Line through(List<double[]> points) {
      double minute = points.stream().mapToDouble(each -> each[0]).average().orElse(0);
      double mean = points.stream().mapToDouble(each -> each[1]).average().orElse(0);
      double products = 0;
      double squares = 0;
      for (double[] each : points) {
        products += (each[0] - minute) * (each[1] - mean);
        squares += (each[0] - minute) * (each[0] - minute);
      }
      double slope = squares == 0 ? 0 : products / squares;
      double rest = 0;
      for (double[] each : points) {
        double off = each[1] - mean - slope * (each[0] - minute);
        rest += off * off;
      }
      double error = squares == 0 ? 0 : Math.sqrt(rest / (points.size() - 2) / squares);
      return new Line(slope, error, mean);
    }
  }

  /**
   * What became of a figure.
   *
   * @param slope the median of its lives, in a minute
   */
  record Trend(String name, int lives, double mean, double slope, double error) {
    boolean grows() {
      return slope > SURE * error && slope * 60 > NOISE * mean;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s: mean %.2f, slope %+.4f a minute (%+.1f %% an hour, error %.1f), %d lives",
          name,
          mean,
          slope,
          mean == 0 ? 0 : 6_000 * slope / mean,
          mean == 0 ? 0 : 6_000 * error / mean,
          lives);
    }
  }

  /**
   * Adds a measurement.
   *
   * @param life how often that which is measured was started before
   */
  void add(double minute, String name, int life, double value) {
    points
        .computeIfAbsent(name, none -> new TreeMap<>())
        .computeIfAbsent(life, none -> new ArrayList<>())
        .add(new Point(minute, value));
    String line = String.format(Locale.ROOT, "%.1f\t%s\t%d\t%s%n", minute, name, life, value);
    try {
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The trends of all figures that were measured for long enough, by name. */
  List<Trend> trends() {
    var trends = new ArrayList<Trend>();
    points.forEach(
        (name, lives) -> {
          List<Line> lines =
              lives.values().stream()
                  .map(SoakFigures::warm)
                  .filter(life -> life.size() >= MIN_POINTS)
                  .map(Line::through)
                  .toList();
          if (!lines.isEmpty()) {
            trends.add(
                new Trend(
                    name,
                    lines.size(),
                    median(lines.stream().map(Line::mean).toList()),
                    median(lines.stream().map(Line::slope).toList()),
                    median(lines.stream().map(Line::error).toList()) / Math.sqrt(lines.size())));
          }
        });
    return trends;
  }

  private static List<double[]> warm(List<Point> life) {
    double begin = life.get(0).minute();
    return life.stream()
        .filter(point -> point.minute() - begin >= WARM_UP_MINUTES)
        .map(point -> new double[] {point.minute(), point.value()})
        .toList();
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
