package palmares.rules.catalogue;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Entry;
import palmares.platform.form.FormValue;
import palmares.rules.board.Action;
import palmares.rules.board.OncePer;
import palmares.rules.board.Scoring;

/** Makes a board's actions of its file, and checks that they go with its scoring. */
final class Actions {
  private Actions() {}

  /** The actions of a file without faults. */
  static Map<String, Action> of(FormValue file) {
    var actions = new LinkedHashMap<String, Action>();
    for (var entry : file.get(ActionForm.ACTIONS)) {
      actions.put(
          entry.key(),
          requireNonNull(entry.value()).named(entry.key(), file.get(ScaleForm.SCORING)));
    }
    return actions;
  }

  static void check(FormValue file) {
    var actions = file.find(ActionForm.ACTIONS);
    var scoring = file.find(ScaleForm.SCORING);
    if (actions != null && scoring != null) {
      actions.forEach(entry -> check(entry, scoring, file.find(ScaleForm.MAX_POINTS)));
    }
  }

  private static void check(
      Entry<String, ActionPoints> entry, Scoring scoring, @Nullable Long maxPoints) {
    ActionPoints worth = entry.value();
    if (worth == null) {
      return;
    }
    if (scoring.takesValues()) {
      checkValued(entry, worth, scoring);
    } else if (worth.points() == null) {
      entry.location().fault("must say its points, which add up on this board");
    } else if (maxPoints != null && worth.exceeds(maxPoints)) {
      entry
          .location()
          .fault(
              "could bring %d times %d points in one event, more than max-points, %d: lower these"
                      .formatted(worth.maxQuantity(), worth.points(), maxPoints)
                  + " or raise that");
    }
    if (worth.undo() && scoring.takesValues()) {
      entry
          .location()
          .fault(
              "cannot be undone with scoring: %s, where a member holds one value and what it"
                      .formatted(scoring.word())
                  + " replaced is not kept: take undo out");
    } else if (worth.undo() && worth.oncePer(scoring) != OncePer.SUBJECT) {
      entry
          .location()
          .fault(
              "cannot be undone where it counts once per %s: an undo takes back what was done to a"
                      .formatted(worth.oncePer(scoring).word())
                  + " subject; say once-per: subject, or take undo out");
    }
    checkCaps(entry, worth, worth.oncePer(scoring));
  }

  private static void checkValued(
      Entry<String, ActionPoints> entry, ActionPoints worth, Scoring scoring) {
    if (worth.points() != null || worth.maxQuantity() != 1) {
      entry
          .location()
          .fault(
              "must say neither points nor max-quantity with scoring: %s, which takes each event's"
                      .formatted(scoring.word())
                  + " own value: write {}");
    }
  }

  private static void checkCaps(
      Entry<String, ActionPoints> entry, ActionPoints worth, OncePer oncePer) {
    boolean once = oncePer == OncePer.DAY || oncePer == OncePer.PERIOD;
    if (once && worth.maxQuantity() > 1
        || once && worth.maxPerDay() > 0
        || oncePer == OncePer.PERIOD && worth.maxPerPeriod() > 0) {
      entry
          .location()
          .fault(
              "counts once per %s, so that max-quantity and a most of the same or a shorter time"
                      .formatted(oncePer.word())
                  + " mean nothing: take them out");
      return;
    }
    long least = Math.min(orAny(worth.maxPerDay()), orAny(worth.maxPerPeriod()));
    if (worth.maxQuantity() > least) {
      entry
          .location()
          .fault(
              "may come %d at once, of which at most %d could ever count: lower max-quantity"
                  .formatted(worth.maxQuantity(), least));
    }
  }

  private static long orAny(long most) {
    return most == 0 ? Long.MAX_VALUE : most;
  }
}
