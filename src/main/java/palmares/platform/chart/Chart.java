package palmares.platform.chart;

/** A chart as SVG. */
public sealed interface Chart permits BarChart, CellChart, LineChart, StepChart {
  /** The class-path resource that a page with charts must link or contain. */
  String STYLE_SHEET = "/palmares/platform/chart/chart.css";

  /**
   * The chart for an HTML page that has {@link #STYLE_SHEET}. It has classes but no styles and no
   * scripts.
   */
  String svg();

  /** The chart as a standalone file with its style sheet inside. */
  default String file() {
    return Svg.standalone(svg());
  }
}
