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
    var plot = new Plot("line-chart", width, caption, x, y, series);
    for (int i = 0; i < series.size(); i++) {
      plot.line(i, path(plot, series.get(i)));
    }
    plot.nameLines();
    plot.tips();
    return plot.svg().toString();
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
