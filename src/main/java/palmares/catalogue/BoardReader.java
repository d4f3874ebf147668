package palmares.catalogue;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Period;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.board.Action;
import palmares.board.BitBudget;
import palmares.board.Board;
import palmares.board.BoardId;
import palmares.board.PackedScore;
import palmares.board.Resolution;
import palmares.board.Source;
import palmares.calendar.Calendar;
import palmares.form.Entry;
import palmares.form.Faults;
import palmares.form.Filled;
import palmares.form.YamlText;

/** Makes a board of a file's text: field by field first, then what the fields mean together. */
final class BoardReader {
  private static final Period SHORT_RETENTION = Period.ofDays(31);
  private static final Period LONG_RETENTION = Period.ofMonths(12);

  private final Filled file;
  private final @Nullable Calendar calendar;

  private BoardReader(Filled file) {
    this.file = file;
    this.calendar = Periods.read(file);
  }

  /** The board; null if anything is wrong with it, all of which is then noted. */
  static @Nullable Board read(BoardId id, String text, Faults faults) {
    var root = YamlText.read(text, faults);
    var file = root == null ? null : BoardForm.BOARD.read(root);
    if (file == null) {
      return null;
    }
    var reader = new BoardReader(file);
    reader.checkActions();
    reader.checkBits();
    var rewards = Rewards.read(file);
    if (faults.count() > 0) {
      return null;
    }
    return new Board(
        id,
        file.get(BoardForm.TITLE),
        file.get(BoardForm.ZONE),
        requireNonNull(reader.calendar),
        requireNonNull(reader.grace()),
        file.get(BoardForm.CLOCK),
        reader.actions(),
        file.get(BoardForm.MAX_POINTS),
        file.get(BoardForm.RESOLUTION),
        file.get(BoardForm.RANKS),
        rewards,
        reader.retention(),
        Source.of(text));
  }

  private void checkActions() {
    var actions = file.find(BoardForm.ACTIONS);
    var maxPoints = file.find(BoardForm.MAX_POINTS);
    if (actions != null && maxPoints != null) {
      actions.forEach(entry -> checkAction(entry, maxPoints));
    }
  }

  private static void checkAction(Entry<String, Worth> entry, long maxPoints) {
    var worth = entry.value();
    if (worth != null && worth.exceeds(maxPoints)) {
      entry
          .spot()
          .fault(
              "could bring %d times %d points in one event, more than max-points, %d: lower these"
                      .formatted(worth.maxQuantity(), worth.points(), maxPoints)
                  + " or raise that");
    }
  }

  private void checkBits() {
    var maxPoints = file.find(BoardForm.MAX_POINTS);
    var resolution = file.find(BoardForm.RESOLUTION);
    var grace = grace();
    if (calendar == null || maxPoints == null || resolution == null || grace == null) {
      return;
    }
    var budget = BitBudget.of(calendar, grace, resolution);
    if (maxPoints > budget.mostPoints()) {
      file.spot(BoardForm.MAX_POINTS)
          .fault(
              "must be at most %d, not %d: counting the %ss of the longest period and its grace"
                      .formatted(budget.mostPoints(), maxPoints, resolution.word())
                  + " takes %d of a score's %d bits, which leaves %d for points%s"
                      .formatted(
                          budget.timeBits(),
                          PackedScore.EXACT_BITS,
                          budget.pointsBits(),
                          coarser(calendar, grace, resolution, maxPoints)));
    }
  }

  private static String coarser(
      Calendar calendar, Duration grace, Resolution resolution, long maxPoints) {
    return Arrays.stream(Resolution.values())
        .filter(other -> other.compareTo(resolution) > 0)
        .filter(other -> maxPoints <= BitBudget.of(calendar, grace, other).mostPoints())
        .findFirst()
        .map(
            other ->
                "; with resolution: %s there is room for %d"
                    .formatted(other.word(), BitBudget.of(calendar, grace, other).mostPoints()))
        .orElse("; no resolution makes room for so many");
  }

  private Map<String, Action> actions() {
    var actions = new LinkedHashMap<String, Action>();
    for (var entry : file.get(BoardForm.ACTIONS)) {
      actions.put(entry.key(), requireNonNull(entry.value()).named(entry.key()));
    }
    return actions;
  }

  /** None on a board that never closes; null if it is wrong. */
  private @Nullable Duration grace() {
    return calendar != null && !calendar.closes() ? Duration.ZERO : file.find(BoardForm.GRACE);
  }

  private Period retention() {
    var said = file.find(BoardForm.RETENTION);
    if (said != null) {
      return said;
    }
    return List.of("day", "week").contains(file.get(BoardForm.PERIOD))
        ? SHORT_RETENTION
        : LONG_RETENTION;
  }
}
