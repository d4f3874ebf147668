package palmares.catalogue;

import org.jspecify.annotations.Nullable;
import palmares.board.Action;
import palmares.board.OncePer;
import palmares.board.Scoring;
import palmares.form.Filled;

/** What stands behind an action's name in a file. */
record Worth(
    @Nullable Long points,
    boolean undo,
    long maxQuantity,
    @Nullable OncePer oncePer,
    long maxPerDay,
    long maxPerPeriod) {

  /** An action of which only the points are said. */
  static Worth of(long points) {
    return new Worth(points, false, 1, null, 0, 0);
  }

  static Worth of(Filled action) {
    return new Worth(
        action.find(ActionForm.POINTS),
        action.get(ActionForm.UNDO),
        action.get(ActionForm.MAX_QUANTITY),
        action.find(ActionForm.ONCE_PER),
        orNone(action.find(ActionForm.MAX_PER_DAY)),
        orNone(action.find(ActionForm.MAX_PER_PERIOD)));
  }

  private static long orNone(@Nullable Long most) {
    return most == null ? 0 : most;
  }

  /** How often it counts on a board of that scoring. */
  OncePer oncePer(Scoring scoring) {
    if (oncePer != null) {
      return oncePer;
    }
    return scoring.takesValues() ? OncePer.EVENT : OncePer.SUBJECT;
  }

  /** Whether one event can bring more than a member may hold. */
  boolean exceeds(long maxPoints) {
    return points != null && points > maxPoints / maxQuantity;
  }

  Action named(String name, Scoring scoring) {
    return new Action(
        name,
        points == null ? 0 : points,
        undo,
        maxQuantity,
        oncePer(scoring),
        maxPerDay,
        maxPerPeriod);
  }
}
