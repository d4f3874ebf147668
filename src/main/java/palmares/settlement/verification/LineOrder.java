package palmares.settlement.verification;

import java.util.Map;
import palmares.rules.board.Board;
import palmares.rules.board.Scale;

/** What puts a board's lines in order, for SQL that derives any board's. */
final class LineOrder {
  private LineOrder() {}

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
