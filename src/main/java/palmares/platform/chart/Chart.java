package palmares.platform.chart;

import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import palmares.platform.chart.Series.Point;

/** A chart as SVG. */
public sealed interface Chart {
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

  /** Draws each series as a line. */
  private static String lines(
      Plot plot, List<Series> series, BiFunction<Plot, Series, String> path) {
    for (int i = 0; i < series.size(); i++) {
      plot.line(i, path.apply(plot, series.get(i)));
    }
    plot.nameLines();
    return plot.svg().toString();
  }

  /**
   * Says what a chart shows.
   *
   * @param title its name, which screen readers read first
   * @param description what the chart says in words, for readers who do not see it; may be empty
   * @param locale of numbers and of the names of months
   */
  record Caption(String title, String description, Locale locale) {}

  /**
   * Joins the points of each series by straight lines. On an axis of labels, a line breaks where a
   * label has no point.
   *
   * @param series at most eight
   */
  record LineChart(Caption caption, Axis x, Axis y, List<Series> series) implements Chart {
    @Override
    public String svg() {
      return lines(new Plot("line-chart", caption, x, y, series), series, this::path);
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

  /**
   * Draws values that hold until the next one. On an axis of labels, a value holds in the place of
   * its label, and the line breaks where a label has no point; on other axes the last value holds
   * to the end.
   *
   * @param series at most eight
   */
  record StepChart(Caption caption, Axis x, Axis y, List<Series> series) implements Chart {
    @Override
    public String svg() {
      return lines(new Plot("step-chart", caption, x, y, series), series, this::path);
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
      return path.append(x.hasLabels() ? "" : "H" + Svg.number(plot.right())).toString();
    }
  }

  /**
   * Draws one bar for each point, in the place of its label; bars of several series stand side by
   * side.
   *
   * @param labels the texts below the bars
   * @param series at most eight, with the index of the label as x
   */
  record BarChart(Caption caption, List<String> labels, Axis y, List<Series> series)
      implements Chart {
    /** The share of a label's place that bars take. */
    private static final double BAR_WIDTH_SHARE = 0.8;

    @Override
    public String svg() {
      var plot = new Plot("bar-chart", caption, Axis.labels(labels), y, series);
      double width = plot.slot() * BAR_WIDTH_SHARE / Math.max(1, series.size());
      for (int i = 0; i < series.size(); i++) {
        plot.svg().open("g", "class", Plot.css(i));
        for (Point point : series.get(i).points()) {
          double top = Math.min(plot.y(point.y()), plot.base());
          plot.svg()
              .tipped(
                  plot.tip(series.get(i), point),
                  "rect",
                  "x",
                  plot.x(point.x()) - plot.slot() * BAR_WIDTH_SHARE / 2 + i * width,
                  "y",
                  top,
                  "width",
                  width,
                  "height",
                  Math.max(plot.y(point.y()), plot.base()) - top);
        }
        plot.svg().close("g");
      }
      plot.nameBars();
      return plot.svg().toString();
    }
  }

  /**
   * Draws a strip of cells, or a grid of several rows, such as boards by days.
   *
   * @param columns the texts above the columns; a text that would touch the one before is left out
   * @param rows from the top
   */
  record CellChart(Caption caption, List<String> columns, List<Row> rows) implements Chart {
    private static final double CELL_SIZE = 18;
    private static final double CELL_PITCH = CELL_SIZE + 3;
    private static final double GAP = 8;
    private static final double LINE_HEIGHT = 16;

    /**
     * Gives the tone of a cell; the style sheet has a colour and this class has a sign for each.
     */
    public enum Tone {
      /** Done, and nothing to do. */
      GOOD(""),
      /** Work goes on. */
      BUSY("…"),
      /** A person should look at it. */
      WARNING("!"),
      /** Failed. */
      BAD("×"),
      /** Not yet due. */
      IDLE(""),
      /** There is nothing. */
      NONE("");

      private final String sign;

      Tone(String sign) {
        this.sign = sign;
      }
    }

    /** A named row of cells, from the left. */
    public record Row(String name, List<Cell> cells) {}

    /**
     * A cell.
     *
     * @param title what a reader sees who points at the cell, such as the period and its state
     * @param link a path or an HTTP address; null for none
     * @throws IllegalArgumentException if the link is anything else, such as a script
     */
    public record Cell(Tone tone, String title, @Nullable String link) {
      public Cell {
        if (link != null && !link.matches("(/(?!/)|#|\\?|https?://).*")) {
          throw new IllegalArgumentException(
              "'%s' is neither a path nor an address".formatted(link));
        }
      }
    }

    @Override
    public String svg() {
      int longest = rows.stream().mapToInt(row -> row.name().length()).max().orElse(0);
      double left = longest == 0 ? 0 : longest * Svg.CHARACTER + GAP;
      double top = columns.isEmpty() ? 0 : LINE_HEIGHT + GAP / 2;
      int width = rows.stream().mapToInt(row -> row.cells().size()).max().orElse(0);
      boolean links =
          rows.stream().flatMap(row -> row.cells().stream()).anyMatch(cell -> cell.link() != null);
      double end = left + Math.max(width, columns.size()) * CELL_PITCH + 4 * GAP;
      var svg = new Svg("cell-chart", caption, end, top + rows.size() * CELL_PITCH, links);
      columns(svg, left);
      for (int i = 0; i < rows.size(); i++) {
        row(svg, rows.get(i), left, top + i * CELL_PITCH);
      }
      return svg.toString();
    }

    private void columns(Svg svg, double left) {
      double free = left;
      for (int i = 0; i < columns.size(); i++) {
        double at = left + i * CELL_PITCH;
        if (at >= free && !columns.get(i).isEmpty()) {
          svg.element("text", columns.get(i), "class", "tick", "x", at, "y", LINE_HEIGHT - 4);
          free = at + (columns.get(i).length() + 1) * Svg.CHARACTER;
        }
      }
    }

    private static void row(Svg svg, Row row, double left, double top) {
      svg.element(
          "text", row.name(), "class", "tick end", "x", left - GAP, "y", top + LINE_HEIGHT - 3);
      for (int i = 0; i < row.cells().size(); i++) {
        cell(svg, row.cells().get(i), left + i * CELL_PITCH, top);
      }
    }

    private static void cell(Svg svg, Cell cell, double x, double y) {
      if (cell.link() != null) {
        svg.open("a", "href", cell.link());
      }
      svg.tipped(
          cell.title(),
          "rect",
          "class",
          "cell " + cell.tone().name().toLowerCase(Locale.ROOT),
          "x",
          x,
          "y",
          y,
          "width",
          CELL_SIZE,
          "height",
          CELL_SIZE,
          "rx",
          3.0);
      if (!cell.tone().sign.isEmpty()) {
        svg.element("text", cell.tone().sign, "class", "sign", "x", x + CELL_SIZE / 2, "y", y + 13);
      }
      if (cell.link() != null) {
        svg.close("a");
      }
    }
  }
}
