package palmares.report;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import palmares.board.Board;

/** What there is to tell of the lines of a board, by name and in order. */
final class LineColumns {
  private final Map<String, Function<FinalLine, @Nullable Object>> columns = new LinkedHashMap<>();

  private LineColumns() {}

  /**
   * If a period's rules have a second key, there is a column for it; if the board is adopted, one
   * for why the order among equals is not known; if it counts invites, two for whose line it is;
   * and one for prizes in other currencies than credits, if there are any.
   *
   * @param rules those of each period that lines are shown of
   */
  static LineColumns of(Collection<Board> rules, boolean otherPrizes) {
    var all = new LineColumns();
    all.columns.put("period", FinalLine::period);
    all.columns.put("rank", FinalLine::rank);
    all.columns.put("member", FinalLine::member);
    all.columns.put("points", FinalLine::points);
    if (rules.stream().anyMatch(board -> board.scale().thenBy() != null)) {
      all.columns.put("then_by", FinalLine::thenBy);
    }
    all.columns.put(
        "reached_at", line -> line.reachedAt() == null ? null : line.reachedAt().toString());
    all.columns.put("credits", FinalLine::credits);
    if (rules.stream().anyMatch(board -> board.adoption() != null)) {
      all.columns.put("loss", FinalLine::loss);
    }
    if (rules.stream().anyMatch(board -> board.invites() != null)) {
      all.columns.put("nickname", FinalLine::nickname);
      all.columns.put("invite_code", FinalLine::inviteCode);
    }
    if (otherPrizes) {
      all.columns.put("other_prizes", FinalLine::otherPrizes);
    }
    return all;
  }

  List<String> names() {
    return List.copyOf(columns.keySet());
  }

  /** What a line tells; times as ISO 8601 in UTC. */
  Map<String, @Nullable Object> of(FinalLine line) {
    var values = new LinkedHashMap<String, @Nullable Object>();
    columns.forEach((name, column) -> values.put(name, column.apply(line)));
    return values;
  }
}
