package palmares.rules.catalogue;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalars.MOST;
import static palmares.platform.form.Scalars.choice;
import static palmares.platform.form.Scalars.name;
import static palmares.platform.form.Scalars.whole;

import java.util.List;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.rules.board.Scoring;
import palmares.rules.board.Tiebreak;
import palmares.rules.board.TimeResolution;

/** What a board's file says of what is measured, and how finely. */
final class ScaleForm {
  static final String PACKED = "packed";
  static final String WIDE = "wide";
  static final String FEWEST = "fewest";

  static final Field<Scoring> SCORING =
      optional(
          "scoring",
          choice(List.of(Scoring.values()), Scoring::word),
          "add",
          "How an event changes a member's points: add (its action's points), or by the event's own"
              + " value: best (the most wins), latest (the last one holds), lowest-best (the"
              + " fewest win, as times in a race).");

  static final Field<Long> MAX_POINTS =
      required(
          "max-points",
          whole(1, MOST),
          "The most points that a member can hold in a period. A change that would pass it is"
              + " refused whole. It must fit into a score: see layout.");

  static final Field<String> THEN_NAME =
      required("name", name("a second key's name"), "What it is called, as attempts.");
  static final Field<Long> THEN_MAX =
      required(
          "max", whole(1, MOST), "The most of it that a member can hold; more is refused whole.");
  static final Field<String> THEN_WINS =
      optional(
          "wins",
          choice(List.of(FEWEST, "most"), word -> word),
          FEWEST,
          "Whether the fewest or the most of it stand first.");
  static final Form THEN = new Form("a second key", List.of(THEN_NAME, THEN_MAX, THEN_WINS));

  static final Field<FormValue> THEN_BY =
      optional(
          "then-by",
          THEN,
          "A second key between points and time, which each event brings as thenBy: { name:"
              + " attempts, max: 100, wins: fewest }. It adds up where points do.");

  static final Field<Tiebreak> TIEBREAK =
      optional(
          "tiebreak",
          choice(List.of(Tiebreak.values()), Tiebreak::word),
          "time",
          "What puts equal points in order: the time at which they were reached, or the order of"
              + " arrival, for boards where two members in one tick must follow it.");

  static final Field<Long> MAX_EVENTS =
      optional(
              "max-events",
              whole(1, MOST),
              10_000_000L,
              "How many events a period can decide where arrivals break ties; one more is refused."
                  + " The fewer, the more points fit.")
          .onlyWith(TIEBREAK, "arrival");

  static final Field<TimeResolution> RESOLUTION =
      optional(
          "resolution",
          choice(List.of(TimeResolution.values()), TimeResolution::word),
          "millisecond",
          "How finely times are told apart when points are equal. The coarser, the more"
              + " points fit.");

  static final Field<String> LAYOUT =
      optional(
          "layout",
          choice(List.of(PACKED, WIDE), word -> word),
          "How a line stands in Redis. Packed: points and tie in one score, 53 bits together. Wide:"
              + " the tie beside the score, so that points and second key have all 53 bits, for"
              + " about 110 bytes a member more. If not said, packed where it is exact, else"
              + " wide.");

  private ScaleForm() {}
}
