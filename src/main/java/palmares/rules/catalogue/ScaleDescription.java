package palmares.rules.catalogue;

import static palmares.rules.catalogue.BoardDescription.text;

import java.util.stream.Stream;
import palmares.rules.board.Board;
import palmares.rules.board.Layout;
import palmares.rules.board.Scale;
import palmares.rules.board.ThenBy;
import palmares.rules.board.Tiebreak;

/** A board's scale as people read it on a terminal: what is measured, and where its bits go. */
final class ScaleDescription {
  private ScaleDescription() {}

  static Stream<String> of(Board board) {
    Scale scale = board.scale();
    return Stream.of(text("%s, up to %,d points", scoring(scale), scale.maxPoints()), bits(board));
  }

  private static String scoring(Scale scale) {
    String points =
        switch (scale.scoring()) {
          case ADD -> "points add up";
          case BEST -> "the best value";
          case LATEST -> "the latest value";
          case LOWEST_BEST -> "the lowest value";
        };
    ThenBy then = scale.thenBy();
    return then == null
        ? points
        : text(
            "%s, then the %s %s (up to %,d)",
            points, then.fewestWin() ? "fewest" : "most", then.name(), then.max());
  }

  private static String bits(Board board) {
    Scale scale = board.scale();
    var budget = board.budget();
    String ties =
        scale.tiebreak() == Tiebreak.ARRIVAL
            ? text("arrivals (up to %,d events)", scale.maxEvents())
            : text("time in %ss", scale.resolution().word());
    String then =
        scale.thenBy() == null
            ? ""
            : text("%d bits of %s + ", budget.thenBits(), scale.thenBy().name());
    String room =
        text(
            "%d bits of points = %d; room for %,d points",
            budget.pointsBits(), Layout.EXACT_BITS, budget.mostPoints());
    return scale.wide()
        ? text("wide: %s%s; %s beside the score", then, room, ties)
        : text("packed: %d bits of %s + %s%s", budget.tieBits(), ties, then, room);
  }
}
