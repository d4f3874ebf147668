package palmares.platform.chart;

import java.util.List;
import palmares.platform.chart.Series.Point;

/**
 * Draws values that hold until the next one. On an axis of labels, a value holds in the place of
 * its label, and the line breaks where a label has no point.
 *
 * @param series at most eight
 * @param until where the last value ceases to hold; {@link Double#NaN} for the end of the axis. An
 *     axis of labels has no use for it
 */
public record StepChart(Caption caption, Axis x, Axis y, List<Series> series, double until)
    implements Chart {
  /** Draws values of which the last one holds to the end of the axis. */
  public StepChart(Caption caption, Axis x, Axis y, List<Series> series) {
    this(caption, x, y, series, Double.NaN);
  }

  @Override
  public String svg(int width) {
    return new Plot("step-chart", width, caption, x, y, series).lines(this::path);
  }

  private String path(Plot plot, Series one) {
    var path = new StringBuilder();
    double half = x.hasLabels() ? plot.slot() / 2 : 0;
    double before = Double.NaN;
    for (Point point : one.points()) {
      double begin = plot.x(point.x()) - half;
      boolean joined = !Double.isNaN(before) && !(x.hasLabels() && point.x() > before + 1);
      path.append(
          joined
              ? "H%sV%s".formatted(Svg.number(begin), Svg.number(plot.y(point.y())))
              : "M%s %s".formatted(Svg.number(begin), Svg.number(plot.y(point.y()))));
      if (x.hasLabels()) {
        path.append("h").append(Svg.number(plot.slot()));
      }
      before = point.x();
    }
    double end = Double.isNaN(until) ? plot.right() : plot.x(until);
    return path.append(x.hasLabels() ? "" : "H" + Svg.number(end)).toString();
  }
}
