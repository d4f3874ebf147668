package palmares.period;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import palmares.period.PeriodState.Transition;

/** The state diagram in the documentation is generated from {@link PeriodState}. */
class StateDiagramTest {
  private static final Path DIAGRAM = Path.of("src", "docs", "states.svg");
  private static final int WIDTH = 130;
  private static final int HEIGHT = 62;

  /** A state's column and row in the diagram, and the colour of its box. */
  private record Box(int column, int row, String colour) {
    int x() {
      return 30 + 190 * column;
    }

    int y() {
      return 50 + 150 * row;
    }

    int centre() {
      return x() + WIDTH / 2;
    }

    int middle() {
      return y() + HEIGHT / 2;
    }
  }

  private static final Map<PeriodState, Box> BOXES =
      Map.of(
          PeriodState.OPEN, new Box(0, 0, "#e8f1fb"),
          PeriodState.SEALED, new Box(1, 0, "#e8f1fb"),
          PeriodState.FILLED, new Box(2, 0, "#fdf3dc"),
          PeriodState.APPROVED, new Box(3, 0, "#fdf3dc"),
          PeriodState.SETTLED, new Box(4, 0, "#e6f4ea"),
          PeriodState.REJECTED, new Box(1, 1, "#fbe9e7"),
          PeriodState.HELD, new Box(2, 1, "#fbe9e7"),
          PeriodState.EXPIRED, new Box(4, 1, "#e6f4ea"));

  @Test
  void theDiagramShowsEveryStateAndTransition() throws IOException {
    Path generated = Files.createDirectories(Path.of("target")).resolve("states.svg");
    Files.writeString(generated, diagram());
    assertThat(DIAGRAM)
        .as("the diagram of the states; to update it, copy %s to %s", generated, DIAGRAM)
        .hasSameTextualContentAs(generated);
  }

  private static String diagram() {
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 350" \
    font-family="Helvetica, Arial, sans-serif" font-size="14">
      <title>The states of a period</title>
      <desc>Generated from PeriodState by StateDiagramTest.</desc>
      <style>
        rect { stroke: #1f3a5f; stroke-width: 1.6 }
        path { stroke: #1f3a5f; stroke-width: 1.6; fill: none; marker-end: url(#head) }
        text { text-anchor: middle; font-size: 12px; fill: #51606f }
        .name { font-weight: bold; font-size: 14px; fill: #14273f }
        .step { font-style: italic; fill: #1f3a5f; \
    paint-order: stroke; stroke: #fbfcfe; stroke-width: 5px }
        .left { text-anchor: start }
      </style>
      <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" \
    markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" \
    style="fill: #1f3a5f; stroke: none; marker-end: none"/></marker></defs>
      <rect width="960" height="350" style="fill: #fbfcfe; stroke: none"/>
    """
        + Arrays.stream(PeriodState.values()).map(StateDiagramTest::box).collect(joining())
        + PeriodState.TRANSITIONS.stream().map(StateDiagramTest::arrow).collect(joining())
        + """
          <text class="left" x="30" y="300">The work of a step and its new state commit in one \
        transaction, under a lease whose fencing number the database checks.</text>
          <text class="left" x="30" y="320">If a step fails or its process dies, the state stays \
        as it was, and the next closing goes on from there.</text>
        </svg>
        """;
  }

  private static String box(PeriodState state) {
    Box box = Objects.requireNonNull(BOXES.get(state), "a place in the diagram for " + state);
    return """
      <rect x="%d" y="%d" width="%d" height="%d" rx="12" fill="%s"/>\
    <text class="name" x="%d" y="%d">%s</text>\
    <text x="%d" y="%d">%s</text>
    """
        .formatted(
            box.x(),
            box.y(),
            WIDTH,
            HEIGHT,
            box.colour(),
            box.centre(),
            box.y() + 28,
            state.word(),
            box.centre(),
            box.y() + 47,
            state.summary());
  }

  private static String arrow(Transition transition) {
    Box from = Objects.requireNonNull(BOXES.get(transition.from()));
    Box to = Objects.requireNonNull(BOXES.get(transition.to()));
    boolean right = to.column() > from.column();
    boolean sameColumn = to.column() == from.column();
    boolean down = to.row() > from.row();
    int x1 = sameColumn ? from.centre() : right ? from.x() + WIDTH : from.x();
    int y1 = !sameColumn ? from.middle() : down ? from.y() + HEIGHT : from.y();
    boolean sideways = to.row() == from.row();
    int x2 = !sideways ? to.centre() : right ? to.x() : to.x() + WIDTH;
    int y2 = sideways ? to.middle() : down ? to.y() : to.y() + HEIGHT;
    return """
      <path d="M%d %dL%d %d"/><text class="step" x="%d" y="%d">%s</text>
    """
        .formatted(
            x1,
            y1,
            x2,
            y2,
            (x1 + x2) / 2,
            sideways ? y1 - HEIGHT / 2 - 8 : (y1 + y2) / 2 + 4,
            transition.step());
  }
}
