package palmares.platform.chart;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A named row of points.
 *
 * @param points in ascending order of x
 */
public record Series(String name, List<Point> points) {
  /** The number of series that a style sheet can tell apart. */
  public static final int MAX_SERIES = 8;

  public Series {
    points = List.copyOf(points);
  }

  /** A series on an axis of labels, with one value for each label. */
  public static Series of(String name, List<? extends Number> values) {
    return new Series(
        name,
        IntStream.range(0, values.size())
            .mapToObj(i -> new Point(i, values.get(i).doubleValue()))
            .toList());
  }

  /**
   * A point.
   *
   * @param x on an axis of labels, the index of the label; on an axis of times, milliseconds since
   *     1970
   * @throws IllegalArgumentException if a coordinate is infinite or not a number
   */
  public record Point(double x, double y) {
    public Point {
      if (!Double.isFinite(x) || !Double.isFinite(y)) {
        throw new IllegalArgumentException("a point at %s, %s cannot be drawn".formatted(x, y));
      }
    }

    /** A point on an axis of times. */
    public static Point at(Instant time, double y) {
      return new Point(time.toEpochMilli(), y);
    }
  }
}
