package palmares.rules.catalogue;

import org.jspecify.annotations.Nullable;
import palmares.platform.form.FormValue;
import palmares.rules.board.Action;
import palmares.rules.board.OncePer;
import palmares.rules.board.Scoring;

/** What stands behind an action's name in a file. */
record ActionPoints(
    @Nullable Long points,
    boolean undo,
    long maxQuantity,
    @Nullable OncePer oncePer,
    long maxPerDay,
    long maxPerPeriod) {

  /** An action of which only the points are said. */
  static ActionPoints of(long points) {
    return new ActionPoints(points, false, 1, null, 0, 0);
  }

  static ActionPoints of(FormValue action) {
    return new ActionPoints(
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
