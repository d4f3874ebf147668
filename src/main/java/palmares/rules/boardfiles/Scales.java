package palmares.rules.boardfiles;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalar.MAX_SAFE_INTEGER;
import static palmares.platform.form.Scalar.choice;
import static palmares.platform.form.Scalar.name;
import static palmares.platform.form.Scalar.whole;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.text.Sentence;
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

  static final Field<Scoring> SCORING = optional("scoring", choice(Scoring.values()), "add");

  static final Field<Long> MAX_POINTS = required("max-points", whole(1, MAX_SAFE_INTEGER));

  static final Field<String> THEN_NAME =
      required("name", name(new BoardFieldSentences.SecondKeyName()));
  static final Field<Long> THEN_MAX = required("max", whole(1, MAX_SAFE_INTEGER));
  static final Field<String> THEN_WINS =
      optional("wins", choice(List.of(FEWEST, "most"), word -> word), FEWEST);
  static final Form THEN =
      new Form(new BoardFieldSentences.SecondKey(), List.of(THEN_NAME, THEN_MAX, THEN_WINS));

  static final Field<FormValue> THEN_BY = optional("then-by", THEN);

  static final Field<Tiebreak> TIEBREAK = optional("tiebreak", choice(Tiebreak.values()), "time");

  static final Field<Long> MAX_EVENTS =
      optional("max-events", whole(1, MAX_SAFE_INTEGER), 10_000_000L).onlyWith(TIEBREAK, "arrival");

  static final Field<TimeResolution> RESOLUTION =
      optional("resolution", choice(TimeResolution.values()), "millisecond");

  static final Field<String> LAYOUT =
      optional("layout", choice(List.of(PACKED, WIDE), word -> word));

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
        new BoardFileSentences.TooManyPoints(
            budget(intended).maxPoints(),
            intended.maxPoints(),
            bits(intended),
            intended.wide()
                ? List.of(new BoardFileSentences.LowerEither())
                : remedies(intended, wide)));
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

  private List<Sentence> bits(Scale scale) {
    var budget = budget(scale);
    var bits = new ArrayList<Sentence>();
    if (!scale.wide()) {
      bits.add(
          scale.tiebreak().byArrival()
              ? new BoardFileSentences.ArrivalBits(budget.tieBits(), Layout.EXACT_BITS)
              : new BoardFileSentences.TimeBits(
                  scale.resolution().word(), budget.tieBits(), Layout.EXACT_BITS));
    }
    if (scale.thenBy() != null) {
      bits.add(new BoardFileSentences.SecondKeyBits(budget.thenBits(), Layout.EXACT_BITS));
    }
    bits.add(new BoardFileSentences.BitsLeft(budget.pointsBits()));
    return bits;
  }

  /** Which setting to change. */
  private List<Sentence> remedies(Scale packed, Scale wide) {
    var remedies = new ArrayList<Sentence>();
    if (!packed.tiebreak().byArrival()) {
      remedies.add(
          Arrays.stream(TimeResolution.values())
              .filter(coarser -> coarser.micros() > packed.resolution().micros())
              .map(coarser -> scale(packed.thenBy(), coarser, false))
              .filter(this::fits)
              .findFirst()
              .<Sentence>map(
                  coarser ->
                      new BoardFileSentences.CoarserFits(
                          coarser.resolution().word(), budget(coarser).maxPoints()))
              .orElseGet(BoardFileSentences.NoResolutionFits::new));
    }
    remedies.add(
        fits(wide) ? new BoardFileSentences.WideFits() : new BoardFileSentences.NoLayoutFits());
    return remedies;
  }
}
