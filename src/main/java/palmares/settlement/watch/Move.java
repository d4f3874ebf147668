package palmares.settlement.watch;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A member's move on a board.
 *
 * @param bound what it entered or left; null if the member was passed
 * @param by who passed it; null if it entered or left
 * @param formerRank null if it had none among the watched places
 * @param line the member's line now; null if it has none among the ranked, as far as is known
 */
record Move(
    Kind kind,
    String member,
    @Nullable Bound bound,
    @Nullable Line by,
    @Nullable Long formerRank,
    @Nullable Line line) {
  /** What happened, and the type of its fact. */
  enum Kind {
    ENTERED("rank.entered"),
    LEFT("rank.left"),
    PASSED("rank.passed");

    private final String type;

    Kind(String type) {
      this.type = type;
    }

    String type() {
      return type;
    }
  }

  /** A ranked line of a board, as far as moves are about it. */
  record Line(String member, long rank, long points) {}

  /**
   * A bound that is watched.
   *
   * @param isTop whether it is a number of first places, not of points
   */
  record Bound(boolean isTop, long number) {
    /** Its name in stored states and in ids of facts, such as {@code top-10}. */
    String word() {
      return (isTop ? "top-" : "points-") + number;
    }
  }

  /** What the move is about in the id of its fact. */
  String about() {
    return bound == null ? "passed" : bound.word();
  }

  /** What its fact says. */
  Map<String, Object> data() {
    var data = new LinkedHashMap<String, Object>();
    data.put("member", member);
    if (bound != null) {
      data.put(bound.isTop() ? "top" : "threshold", bound.number());
    }
    if (formerRank != null) {
      data.put("formerRank", formerRank);
    }
    if (line != null) {
      data.put("rank", line.rank());
      data.put("points", line.points());
    }
    if (by != null) {
      data.put("by", by.member());
      data.put("byRank", by.rank());
      data.put("byPoints", by.points());
    }
    return data;
  }
}
