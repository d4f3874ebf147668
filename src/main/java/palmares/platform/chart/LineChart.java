package palmares.platform.chart;

import java.util.List;
import palmares.platform.chart.Series.Point;

/**
 * Joins the points of each series by straight lines. On an axis of labels, a line breaks where a
 * label has no point.
 *
 * @param series at most eight
 */
public record LineChart(Caption caption, Axis x, Axis y, List<Series> series) implements Chart {
  @Override
  public String svg(int width) {
    return new Plot("line-chart", width, caption, x, y, series).lines(this::path);
  }

  private String path(Plot plot, Series one) {
    var path = new StringBuilder();
    double before = Double.NaN;
    for (Point point : one.points()) {
      boolean joined = !Double.isNaN(before) && !(x.hasLabels() && point.x() > before + 1);
      path.append(joined ? 'L' : 'M')
          .append(Svg.number(plot.x(point.x())))
          .append(' ')
          .append(Svg.number(plot.y(point.y())));
      before = point.x();
    }
    return path.toString();
  }
}
