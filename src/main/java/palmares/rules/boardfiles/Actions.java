package palmares.rules.boardfiles;

import static java.util.Objects.requireNonNull;
import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalar.MAX_SAFE_INTEGER;
import static palmares.platform.form.Scalar.choice;
import static palmares.platform.form.Scalar.flag;
import static palmares.platform.form.Scalar.name;
import static palmares.platform.form.Scalar.whole;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.form.Location;
import palmares.platform.form.SchemaNode.Entry;
import palmares.platform.form.SchemaNode.MapNode;
import palmares.platform.form.SchemaNode.OneOf;
import palmares.rules.board.Action;
import palmares.rules.board.Action.OncePer;
import palmares.rules.board.Scale.Scoring;
import palmares.rules.calendar.Calendar;
import palmares.rules.calendar.HourCalendar;

/** Reads the actions of a board file and checks them against its scoring. */
final class Actions {
  static final Field<Long> POINTS = optional("points", whole(1, MAX_SAFE_INTEGER));
  static final Field<Boolean> UNDO = optional("undo", flag(), false);
  static final Field<Long> MAX_QUANTITY = optional("max-quantity", whole(1, MAX_SAFE_INTEGER), 1L);
  static final Field<OncePer> ONCE_PER = optional("once-per", choice(OncePer.values()));
  static final Field<Long> MAX_PER_DAY = optional("max-per-day", whole(1, MAX_SAFE_INTEGER));
  static final Field<Long> MAX_PER_PERIOD = optional("max-per-period", whole(1, MAX_SAFE_INTEGER));
  static final Form ACTION =
      new Form(
          new BoardFieldSentences.Action(),
          List.of(POINTS, UNDO, MAX_QUANTITY, ONCE_PER, MAX_PER_DAY, MAX_PER_PERIOD));

  static final Field<List<Entry<String, ActionPoints>>> ACTIONS =
      required(
          "actions",
          new MapNode<>(
              new BoardFieldSentences.Actions(),
              name(new BoardFieldSentences.ActionName()),
              OneOf.scalarOrForm(
                  whole(1, MAX_SAFE_INTEGER).map(ActionPoints::of),
                  ACTION.mapValid(ActionPoints::of))));

  /**
   * An action as a file states it.
   *
   * @param points null if the file states none
   * @param oncePer null if the file does not say
   * @param maxPerDay 0 for no limit
   * @param maxPerPeriod 0 for no limit
   */
  record ActionPoints(
      @Nullable Long points,
      boolean undo,
      long maxQuantity,
      @Nullable OncePer oncePer,
      long maxPerDay,
      long maxPerPeriod) {
    static ActionPoints of(long points) {
      return new ActionPoints(points, false, 1, null, 0, 0);
    }

    static ActionPoints of(FormValue action) {
      return new ActionPoints(
          action.find(POINTS),
          action.get(UNDO),
          action.get(MAX_QUANTITY),
          action.find(ONCE_PER),
          Objects.requireNonNullElse(action.find(MAX_PER_DAY), 0L),
          Objects.requireNonNullElse(action.find(MAX_PER_PERIOD), 0L));
    }

    OncePer oncePer(Scoring scoring) {
      if (oncePer != null) {
        return oncePer;
      }
      return scoring.takesValues() ? OncePer.EVENT : OncePer.SUBJECT;
    }

    /** Whether one event can add more points than a member may have. */
    boolean exceeds(long maxPoints) {
      return points != null && points > maxPoints / maxQuantity;
    }

    Action toAction(String name, Scoring scoring) {
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

  private Actions() {}

  /** The actions of a valid file, by name. */
  static Map<String, Action> of(FormValue file) {
    var actions = new LinkedHashMap<String, Action>();
    for (var entry : file.get(ACTIONS)) {
      var action = requireNonNull(entry.value());
      actions.put(entry.key(), action.toAction(entry.key(), file.get(Scales.SCORING)));
    }
    return actions;
  }

  /** Records the faults of actions that do not fit the board's scoring. */
  static void check(FormValue file, @Nullable Calendar calendar) {
    var actions = file.find(ACTIONS);
    var scoring = file.find(Scales.SCORING);
    if (actions == null || scoring == null) {
      return;
    }
    for (var entry : actions) {
      ActionPoints action = entry.value();
      if (action != null) {
        checkPoints(action, scoring, file.find(Scales.MAX_POINTS), entry.location());
        checkUndo(action, scoring, entry.location());
        checkLimits(action, action.oncePer(scoring), entry.location());
        if (calendar instanceof HourCalendar
            && action.toAction(entry.key(), scoring).dependsOnDay()) {
          entry.fault(new BoardFileSentences.DaysOfHours());
        }
      }
    }
  }

  private static void checkPoints(
      ActionPoints action, Scoring scoring, @Nullable Long maxPoints, Location location) {
    if (scoring.takesValues()) {
      if (action.points() != null || action.maxQuantity() != 1) {
        location.fault(new BoardFileSentences.PointsWithValues(scoring.word()));
      }
    } else if (action.points() == null) {
      location.fault(new BoardFileSentences.PointsMissing());
    } else if (maxPoints != null && action.exceeds(maxPoints)) {
      location.fault(
          new BoardFileSentences.PointsExceed(action.maxQuantity(), action.points(), maxPoints));
    }
  }

  private static void checkUndo(ActionPoints action, Scoring scoring, Location location) {
    if (action.undo() && scoring.takesValues()) {
      location.fault(new BoardFileSentences.UndoOfValues(scoring.word()));
    } else if (action.undo() && !action.oncePer(scoring).isOfSubject()) {
      location.fault(new BoardFileSentences.UndoWithoutSubject(action.oncePer(scoring).word()));
    }
  }

  private static void checkLimits(ActionPoints action, OncePer oncePer, Location location) {
    boolean once = oncePer == OncePer.DAY || oncePer == OncePer.PERIOD;
    if (once && action.maxQuantity() > 1
        || once && action.maxPerDay() > 0
        || oncePer == OncePer.PERIOD && action.maxPerPeriod() > 0) {
      location.fault(new BoardFileSentences.LimitsWithoutEffect(oncePer.word()));
      return;
    }
    long limit = Math.min(orUnlimited(action.maxPerDay()), orUnlimited(action.maxPerPeriod()));
    if (action.maxQuantity() > limit) {
      location.fault(new BoardFileSentences.QuantityExceeds(action.maxQuantity(), limit));
    }
  }

  private static long orUnlimited(long limit) {
    return limit == 0 ? Long.MAX_VALUE : limit;
  }
}
