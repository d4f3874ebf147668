package palmares.platform.chart;

import java.util.List;
import palmares.platform.chart.Series.Point;

/**
 * Draws one bar for each point, in the place of its label; bars of several series stand side by
 * side.
 *
 * @param labels the texts below the bars
 * @param series at most eight, with the index of the label as x
 */
public record BarChart(Caption caption, List<String> labels, Axis y, List<Series> series)
    implements Chart {
  /** The share of a label's place that bars take. */
  private static final double BAR_WIDTH_SHARE = 0.8;

  @Override
  public String svg(int width) {
    var plot = new Plot("bar-chart", width, caption, Axis.labels(labels), y, series);
    double barWidth = plot.slot() * BAR_WIDTH_SHARE / Math.max(1, series.size());
    for (int i = 0; i < series.size(); i++) {
      plot.svg().open("g", "class", Plot.css(i));
      for (Point point : series.get(i).points()) {
        double top = Math.min(plot.y(point.y()), plot.base());
        plot.svg()
            .empty(
                "rect",
                "class",
                "bar",
                "x",
                plot.x(point.x()) - plot.slot() * BAR_WIDTH_SHARE / 2 + i * barWidth,
                "y",
                top,
                "width",
                barWidth,
                "height",
                Math.max(plot.y(point.y()), plot.base()) - top);
      }
      plot.svg().close("g");
    }
    plot.nameBars();
    plot.tips();
    return plot.svg().toString();
  }
}
