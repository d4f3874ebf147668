package palmares.platform.chart;

/** A chart as SVG. */
public sealed interface Chart permits BarChart, LineChart, StepChart {
  /** The class-path resource that a page with charts must link or contain. */
  String STYLE_SHEET = "/palmares/platform/chart/chart.css";

  /** The width of a chart in a separate file, in pixels. */
  int FULL_WIDTH = 720;

  /**
   * The chart for an HTML page that has {@link #STYLE_SHEET}. It has classes but no styles and no
   * scripts. Its texts have their size at this width, so draw it for the width that it is shown in.
   *
   * @param width in pixels, at least 280
   */
  String svg(int width);

  default String svg() {
    return svg(FULL_WIDTH);
  }

  /** The chart as a standalone file with its style sheet inside. */
  default String file() {
    return Svg.standalone(svg());
  }
}
