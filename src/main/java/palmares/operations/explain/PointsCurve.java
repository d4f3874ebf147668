package palmares.operations.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import palmares.operations.explain.Explanation.CurvePoint;
import palmares.operations.explain.Explanation.PeriodInfo;

/**
 * Draws points over a period, as steps in a line of text.
 *
 * @param curve in order of time; may be empty
 * @param most the most points, at least 1
 */
record PointsCurve(Instant from, Instant to, List<CurvePoint> curve, long most) {
  private static final String BLOCKS = "▁▂▃▄▅▆▇█";

  static PointsCurve of(PeriodInfo period, List<CurvePoint> curve) {
    long most = curve.stream().mapToLong(CurvePoint::points).max().orElse(1);
    return new PointsCurve(period.startsAt(), period.endsAt(), curve, Math.max(1, most));
  }

  /** One line of block characters, at most this many columns; blank before the first event. */
  String line(int columns) {
    var line = new StringBuilder();
    int at = 0;
    for (int column = 0; column < columns; column++) {
      while (at < curve.size() && share(curve.get(at).at()) * columns < column + 1) {
        at++;
      }
      line.append(at == 0 ? ' ' : block(curve.get(at - 1).points()));
    }
    return line.toString().stripTrailing();
  }

  private char block(long points) {
    double share = Math.max(0, points) / (double) most;
    return BLOCKS.charAt((int) Math.round(share * (BLOCKS.length() - 1)));
  }

  private double share(Instant at) {
    double share =
        Duration.between(from, at).toMillis() / (double) Duration.between(from, to).toMillis();
    return Math.min(1, Math.max(0, share));
  }
}
