package palmares.operations.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import palmares.operations.explain.Explanation.About;
import palmares.operations.explain.Explanation.Spot;

/**
 * Points over a period, as steps.
 *
 * @param spots in order of time; none if there is nothing to draw
 * @param most the most that there ever was; at least 1
 */
record PointsCurve(Instant from, Instant to, List<Spot> spots, long most) {
  private static final String BLOCKS = "▁▂▃▄▅▆▇█";

  static PointsCurve of(About period, List<Spot> spots) {
    long most = spots.stream().mapToLong(Spot::points).max().orElse(1);
    return new PointsCurve(period.startsAt(), period.endsAt(), spots, Math.max(1, most));
  }

  /** One line of so many columns; blank before the first event. */
  String line(int columns) {
    var line = new StringBuilder();
    int at = 0;
    for (int column = 0; column < columns; column++) {
      while (at < spots.size() && share(spots.get(at).at()) * columns < column + 1) {
        at++;
      }
      line.append(at == 0 ? ' ' : block(spots.get(at - 1).points()));
    }
    return line.toString().stripTrailing();
  }

  private char block(long points) {
    double share = Math.max(0, points) / (double) most;
    return BLOCKS.charAt((int) Math.round(share * (BLOCKS.length() - 1)));
  }

  /** The path of an SVG of that size; it begins with the first event and ends with the period. */
  String path(int width, int height) {
    if (spots.isEmpty()) {
      return "";
    }
    var path = new StringBuilder();
    path.append("M%s %d".formatted(number(x(spots.get(0), width)), height));
    for (Spot spot : spots) {
      path.append("H%sV%s".formatted(number(x(spot, width)), number(y(spot, height))));
    }
    return path.append("H").append(width).toString();
  }

  private double x(Spot spot, int width) {
    return share(spot.at()) * width;
  }

  private double y(Spot spot, int height) {
    return height - Math.max(0, spot.points()) / (double) most * height;
  }

  private double share(Instant at) {
    double share =
        Duration.between(from, at).toMillis() / (double) Duration.between(from, to).toMillis();
    return Math.min(1, Math.max(0, share));
  }

  private static String number(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }
}
