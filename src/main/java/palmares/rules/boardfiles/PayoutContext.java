package palmares.rules.boardfiles;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.FormValue;
import palmares.rules.board.RankMethod;
import palmares.rules.board.Scale.Scoring;

/**
 * The other fields of a board file that limit its payout.
 *
 * @param actions the points of each action, by name; 0 if they are invalid or events carry values
 * @param scoring null if invalid
 * @param maxPoints null if invalid or absent
 * @param ranks null if invalid
 * @param isAdopted whether another program writes the board
 */
record PayoutContext(
    Map<String, Long> actions,
    @Nullable Scoring scoring,
    @Nullable Long maxPoints,
    @Nullable RankMethod ranks,
    boolean isAdopted) {
  static PayoutContext of(FormValue file) {
    var points = new LinkedHashMap<String, Long>();
    var actions = file.find(Actions.ACTIONS);
    if (actions != null) {
      for (var entry : actions) {
        var action = entry.value();
        points.put(entry.key(), action == null || action.points() == null ? 0 : action.points());
      }
    }
    return new PayoutContext(
        points,
        file.has(BoardForm.ADOPT) ? Adoptions.scoring(file) : file.find(Scales.SCORING),
        file.find(Scales.MAX_POINTS),
        file.find(BoardForm.RANKS),
        file.has(BoardForm.ADOPT));
  }

  boolean fewestWin() {
    return scoring != null && scoring.fewestWin();
  }

  boolean hasUniqueRanks() {
    return ranks == RankMethod.UNIQUE;
  }
}
