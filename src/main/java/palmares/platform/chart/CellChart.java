package palmares.platform.chart;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Draws a strip of cells, or a grid of several rows, such as boards by days.
 *
 * @param columns the texts above the columns; a text that would touch the one before is left out
 * @param rows from the top
 */
public record CellChart(Caption caption, List<String> columns, List<Row> rows) implements Chart {
  private static final double CELL_SIZE = 18;
  private static final double CELL_PITCH = CELL_SIZE + 3;
  private static final double GAP = 8;
  private static final double LINE_HEIGHT = 16;

  /** Gives the tone of a cell; the style sheet has a colour and this class has a sign for each. */
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
        throw new IllegalArgumentException("'%s' is neither a path nor an address".formatted(link));
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
