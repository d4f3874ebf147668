package palmares.audit;

import java.util.Map;
import palmares.board.Board;
import palmares.board.Scale;

/** What puts a board's lines in order, for SQL that derives any board's. */
final class Order {
  private Order() {}

  static Map<String, Object> parameters(Board board) {
    Scale scale = board.scale();
    return Map.of(
        "tick",
        scale.resolution().micros() + " microseconds",
        "method",
        board.ranks().word(),
        "scoring",
        scale.scoring().word(),
        "arrivals",
        switch (scale.tiebreak()) {
          case TIME -> false;
          case ARRIVAL -> true;
        },
        "seconds",
        scale.thenBy() != null,
        "pointsSign",
        scale.scoring().fewestWin() ? 1 : -1,
        "thenSign",
        scale.fewestThen() ? 1 : -1);
  }
}
