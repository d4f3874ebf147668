package palmares.catalogue;

import palmares.board.Action;
import palmares.form.Filled;

/** What stands behind an action's name in a file. */
record Worth(long points, boolean undo, long maxQuantity) {

  /** An action of which only the points are said. */
  static Worth of(long points) {
    return new Worth(points, false, 1);
  }

  static Worth of(Filled action) {
    return new Worth(
        action.get(BoardForm.POINTS),
        action.get(BoardForm.UNDO),
        action.get(BoardForm.MAX_QUANTITY));
  }

  /** Whether one event can bring more than a member may hold. */
  boolean exceeds(long maxPoints) {
    return points > maxPoints / maxQuantity;
  }

  Action named(String name) {
    return new Action(name, points, undo, maxQuantity);
  }
}
