package palmares.rules.catalogue;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalars.MOST;
import static palmares.platform.form.Scalars.choice;
import static palmares.platform.form.Scalars.flag;
import static palmares.platform.form.Scalars.name;
import static palmares.platform.form.Scalars.whole;

import java.util.List;
import palmares.platform.form.Entry;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.ScalarOrForm;
import palmares.platform.form.Table;
import palmares.rules.board.OncePer;

/** What a board's file says of the events that it counts. */
final class ActionForm {
  static final Field<Long> POINTS =
      optional(
          "points",
          whole(1, MOST),
          "The points that one of it gives; not where the board's scoring takes the event's"
              + " value.");
  static final Field<Boolean> UNDO =
      optional(
          "undo",
          flag(),
          false,
          "Whether it can be taken back while its period is open. Only where points add up and it"
              + " counts once per subject.");
  static final Field<Long> MAX_QUANTITY =
      optional(
          "max-quantity", whole(1, MOST), 1L, "How many of it one event may bring at the most.");
  static final Field<OncePer> ONCE_PER =
      optional(
          "once-per",
          choice(List.of(OncePer.values()), OncePer::word),
          "How often one member's action counts: once for each subject, once a day of the board's"
              + " zone, once a period, or with each event. If not said, once per subject where"
              + " points add up, and with each event where they do not.");
  static final Field<Long> MAX_PER_DAY =
      optional(
          "max-per-day",
          whole(1, MOST),
          "How many of it count for a member on a day of the board's zone. One more is refused"
              + " whole; one that is undone makes room again.");
  static final Field<Long> MAX_PER_PERIOD =
      optional(
          "max-per-period",
          whole(1, MOST),
          "How many of it count for a member in a period, as max-per-day does for a day.");
  static final Form ACTION =
      new Form(
          "an action", List.of(POINTS, UNDO, MAX_QUANTITY, ONCE_PER, MAX_PER_DAY, MAX_PER_PERIOD));

  static final Field<List<Entry<String, ActionPoints>>> ACTIONS =
      required(
          "actions",
          new Table<>(
              "actions by name",
              name("an action's name"),
              new ScalarOrForm<>(whole(1, MOST).as(ActionPoints::of), ACTION.to(ActionPoints::of))),
          "What counts, by the name that events use: a number of points, or points with undo,"
              + " max-quantity, once-per, max-per-day and max-per-period; {} where events bring"
              + " their value. An event that names no board feeds every board with its action.");

  private ActionForm() {}
}
