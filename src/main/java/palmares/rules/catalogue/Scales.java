package palmares.rules.catalogue;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.FormValue;
import palmares.rules.board.BitBudget;
import palmares.rules.board.Layout;
import palmares.rules.board.Scale;
import palmares.rules.board.ThenBy;
import palmares.rules.board.Tiebreak;
import palmares.rules.board.TimeResolution;
import palmares.rules.calendar.Calendar;

/** Makes a board's scale of its file, in a layout that is exact for it. */
final class Scales {
  private final FormValue file;
  private final Calendar calendar;
  private final Duration grace;

  private Scales(FormValue file, Calendar calendar, Duration grace) {
    this.file = file;
    this.calendar = calendar;
    this.grace = grace;
  }

  /** The scale; null if anything is wrong with it, which is then noted. */
  static @Nullable Scale read(
      FormValue file, @Nullable Calendar calendar, @Nullable Duration grace) {
    FormValue then = file.find(ScaleForm.THEN_BY);
    if (calendar == null
        || grace == null
        || file.find(ScaleForm.SCORING) == null
        || file.find(ScaleForm.MAX_POINTS) == null
        || file.find(ScaleForm.TIEBREAK) == null
        || file.find(ScaleForm.MAX_EVENTS) == null
        || file.find(ScaleForm.RESOLUTION) == null
        || file.has(ScaleForm.LAYOUT) && file.find(ScaleForm.LAYOUT) == null
        || file.has(ScaleForm.THEN_BY) && (then == null || !then.whole())) {
      return null;
    }
    return new Scales(file, calendar, grace).read(then == null ? null : thenBy(then));
  }

  private static ThenBy thenBy(FormValue then) {
    return new ThenBy(
        then.get(ScaleForm.THEN_NAME),
        then.get(ScaleForm.THEN_MAX),
        then.get(ScaleForm.THEN_WINS).equals(ScaleForm.FEWEST));
  }

  private @Nullable Scale read(@Nullable ThenBy thenBy) {
    String layout = file.find(ScaleForm.LAYOUT);
    TimeResolution resolution = file.get(ScaleForm.RESOLUTION);
    Scale packed = scale(thenBy, resolution, false);
    Scale wide = scale(thenBy, resolution, true);
    if (!Objects.equals(layout, ScaleForm.WIDE) && fits(packed)) {
      return packed;
    }
    if (!Objects.equals(layout, ScaleForm.PACKED) && fits(wide)) {
      return wide;
    }
    Scale asked = Objects.equals(layout, ScaleForm.PACKED) ? packed : wide;
    file.spot(ScaleForm.MAX_POINTS)
        .fault(
            "must be at most %d, not %d: %s%s"
                .formatted(
                    budget(asked).mostPoints(),
                    asked.maxPoints(),
                    taken(asked),
                    asked.wide() ? "; lower it, or the max of then-by" : remedy(asked, wide)));
    return null;
  }

  private Scale scale(@Nullable ThenBy thenBy, TimeResolution resolution, boolean wide) {
    Tiebreak tiebreak = file.get(ScaleForm.TIEBREAK);
    return new Scale(
        file.get(ScaleForm.SCORING),
        file.get(ScaleForm.MAX_POINTS),
        thenBy,
        tiebreak,
        tiebreak == Tiebreak.ARRIVAL ? file.get(ScaleForm.MAX_EVENTS) : 0,
        resolution,
        wide);
  }

  private BitBudget budget(Scale scale) {
    return BitBudget.of(calendar, grace, scale);
  }

  private boolean fits(Scale scale) {
    return scale.maxPoints() <= budget(scale).mostPoints();
  }

  private String taken(Scale scale) {
    var budget = budget(scale);
    String ties =
        scale.tiebreak() == Tiebreak.ARRIVAL
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

  /** Which figure to change. */
  private String remedy(Scale packed, Scale wide) {
    String other = fits(wide) ? "; layout: wide has room for it" : "; no layout has room for it";
    if (packed.tiebreak() == Tiebreak.ARRIVAL) {
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
                        .formatted(coarser.resolution().word(), budget(coarser).mostPoints()))
            .orElse("; no resolution makes room for so many")
        + other;
  }
}
