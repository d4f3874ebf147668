package palmares.rules.boardfiles;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalar.MAX_SAFE_INTEGER;
import static palmares.platform.form.Scalar.choice;
import static palmares.platform.form.Scalar.name;
import static palmares.platform.form.Scalar.whole;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.rules.board.BitBudget;
import palmares.rules.board.Layout;
import palmares.rules.board.Scale;
import palmares.rules.board.Scale.Scoring;
import palmares.rules.board.Scale.ThenBy;
import palmares.rules.board.Scale.Tiebreak;
import palmares.rules.board.TimeResolution;
import palmares.rules.calendar.Calendar;

/** Reads the scale of a board file and chooses a layout in which it is exact. */
final class Scales {
  static final String PACKED = "packed";
  static final String WIDE = "wide";
  static final String FEWEST = "fewest";

  static final Field<Scoring> SCORING =
      optional(
          "scoring",
          choice(Scoring.values()),
          "add",
          "How an event changes a member's points: add (its action's points), or by the event's own"
              + " value: best (the most wins), latest (the last one holds), lowest-best (the"
              + " fewest win, as times in a race).");

  static final Field<Long> MAX_POINTS =
      required(
          "max-points",
          whole(1, MAX_SAFE_INTEGER),
          "The most points that a member can hold in a period. A change that would pass it is"
              + " refused whole. It must fit into a score: see layout.");

  static final Field<String> THEN_NAME =
      required("name", name("a second key's name"), "What it is called, as attempts.");
  static final Field<Long> THEN_MAX =
      required(
          "max",
          whole(1, MAX_SAFE_INTEGER),
          "The most of it that a member can hold; more is refused whole.");
  static final Field<String> THEN_WINS =
      optional(
          "wins",
          choice(List.of(FEWEST, "most"), word -> word),
          FEWEST,
          "Whether the fewest or the most of it rank first.");
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
          choice(Tiebreak.values()),
          "time",
          "What puts equal points in order: the time at which they were reached, or the order of"
              + " arrival, for boards where two members in one tick must follow it.");

  static final Field<Long> MAX_EVENTS =
      optional(
              "max-events",
              whole(1, MAX_SAFE_INTEGER),
              10_000_000L,
              "How many events a period can decide where arrivals break ties; one more is refused."
                  + " The fewer, the more points fit.")
          .onlyWith(TIEBREAK, "arrival");

  static final Field<TimeResolution> RESOLUTION =
      optional(
          "resolution",
          choice(TimeResolution.values()),
          "millisecond",
          "How finely times are distinguished when points are equal. The coarser, the more"
              + " points fit.");

  static final Field<String> LAYOUT =
      optional(
          "layout",
          choice(List.of(PACKED, WIDE), word -> word),
          "How Redis holds a line. Packed: points and tie in one score, 53 bits together. Wide:"
              + " the tie next to the score, so that points and second key have all 53 bits, for"
              + " about 110 bytes a member more. If not said, packed where it is exact, else"
              + " wide.");

  private final FormValue file;
  private final Calendar calendar;
  private final Duration grace;

  private Scales(FormValue file, Calendar calendar, Duration grace) {
    this.file = file;
    this.calendar = calendar;
    this.grace = grace;
  }

  /** Reads the scale; returns null and records the faults if it is invalid. */
  static @Nullable Scale read(
      FormValue file, @Nullable Calendar calendar, @Nullable Duration grace) {
    FormValue then = file.find(THEN_BY);
    if (calendar == null
        || grace == null
        || file.find(SCORING) == null
        || file.find(MAX_POINTS) == null
        || file.find(TIEBREAK) == null
        || file.find(MAX_EVENTS) == null
        || file.find(RESOLUTION) == null
        || file.has(LAYOUT) && file.find(LAYOUT) == null
        || file.has(THEN_BY) && (then == null || !then.isValid())) {
      return null;
    }
    return new Scales(file, calendar, grace).read(then == null ? null : thenBy(then));
  }

  private static ThenBy thenBy(FormValue then) {
    return new ThenBy(then.get(THEN_NAME), then.get(THEN_MAX), then.get(THEN_WINS).equals(FEWEST));
  }

  private @Nullable Scale read(@Nullable ThenBy thenBy) {
    String layout = file.find(LAYOUT);
    TimeResolution resolution = file.get(RESOLUTION);
    Scale packed = scale(thenBy, resolution, false);
    Scale wide = scale(thenBy, resolution, true);
    if (!Objects.equals(layout, WIDE) && fits(packed)) {
      return packed;
    }
    if (!Objects.equals(layout, PACKED) && fits(wide)) {
      return wide;
    }
    Scale intended = Objects.equals(layout, PACKED) ? packed : wide;
    file.fault(
        MAX_POINTS,
        "must be at most %d, not %d: %s%s"
            .formatted(
                budget(intended).maxPoints(),
                intended.maxPoints(),
                explainBits(intended),
                intended.wide() ? "; lower it, or the max of then-by" : remedy(intended, wide)));
    return null;
  }

  private Scale scale(@Nullable ThenBy thenBy, TimeResolution resolution, boolean wide) {
    Tiebreak tiebreak = file.get(TIEBREAK);
    return new Scale(
        file.get(SCORING),
        file.get(MAX_POINTS),
        thenBy,
        tiebreak,
        tiebreak.byArrival() ? file.get(MAX_EVENTS) : 0,
        resolution,
        wide);
  }

  private BitBudget budget(Scale scale) {
    return BitBudget.of(calendar, grace, scale);
  }

  private boolean fits(Scale scale) {
    return scale.maxPoints() <= budget(scale).maxPoints();
  }

  private String explainBits(Scale scale) {
    var budget = budget(scale);
    String ties =
        scale.tiebreak().byArrival()
            ? "counting max-events"
            : "counting the %ss of the longest period and its grace"
                .formatted(scale.resolution().word());
    return (scale.wide() ? "" : "%s takes %d of a score's %d bits, ")
            .formatted(ties, budget.tieBits(), Layout.EXACT_BITS)
        + (scale.thenBy() == null
            ? ""
            : "then-by takes %d of a score's %d bits, "
                .formatted(budget.thenBits(), Layout.EXACT_BITS))
        + "which leaves %d for points".formatted(budget.pointsBits());
  }

  /** Which setting to change. */
  private String remedy(Scale packed, Scale wide) {
    String other = fits(wide) ? "; layout: wide has room for it" : "; no layout has room for it";
    if (packed.tiebreak().byArrival()) {
      return other;
    }
    return Arrays.stream(TimeResolution.values())
            .filter(coarser -> coarser.micros() > packed.resolution().micros())
            .map(coarser -> scale(packed.thenBy(), coarser, false))
            .filter(this::fits)
            .findFirst()
            .map(
                coarser ->
                    "; with resolution: %s there is room for %d"
                        .formatted(coarser.resolution().word(), budget(coarser).maxPoints()))
            .orElse("; no resolution has room for that many")
        + other;
  }
}
