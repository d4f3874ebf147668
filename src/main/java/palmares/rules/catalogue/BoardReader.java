package palmares.rules.catalogue;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Period;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Entry;
import palmares.platform.form.Faults;
import palmares.platform.form.FormValue;
import palmares.platform.form.YamlText;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.BoardSource;
import palmares.rules.calendar.Calendar;
import palmares.rules.catalogue.payouts.PayoutContext;
import palmares.rules.catalogue.payouts.PayoutReader;

/** Makes a board of a file's text: field by field first, then what the fields mean together. */
final class BoardReader {
  private static final Period SHORT_RETENTION = Period.ofDays(31);
  private static final Period LONG_RETENTION = Period.ofMonths(12);
  private static final Duration LONG_PERIOD = Duration.ofDays(100);
  private static final long LONG_KEPT_IDS = 1_000_000;

  private final FormValue file;
  private final @Nullable Calendar calendar;

  private BoardReader(FormValue file) {
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
    Actions.check(file);
    var adoption = Adoptions.read(file, reader.calendar, reader.grace());
    var scale =
        file.has(BoardForm.ADOPT)
            ? Adoptions.SCALE
            : Scales.read(file, reader.calendar, reader.grace());
    var payout = PayoutReader.read(file, ground(file));
    var tier = Families.read(file);
    InvitesForm.check(file);
    if (faults.count() > 0 || scale == null) {
      return null;
    }
    return new Board(
        id,
        file.get(BoardForm.TITLE),
        file.get(BoardForm.ZONE),
        requireNonNull(reader.calendar),
        requireNonNull(reader.grace()),
        file.get(BoardForm.CLOCK),
        adoption,
        adoption == null ? Actions.of(file) : Map.of(),
        scale,
        file.get(BoardForm.RANKS),
        payout,
        tier,
        file.get(InvitesForm.DURABILITY),
        file.find(InvitesForm.INVITES),
        reader.retention(),
        reader.keptIds(),
        BoardSource.of(text));
  }

  /** What the payout must go with. */
  private static PayoutContext ground(FormValue file) {
    var actions = new LinkedHashMap<String, Long>();
    var found = file.find(ActionForm.ACTIONS);
    for (var entry : found == null ? List.<Entry<String, ActionPoints>>of() : found) {
      var worth = entry.value();
      actions.put(entry.key(), worth == null || worth.points() == null ? 0 : worth.points());
    }
    return new PayoutContext(
        actions,
        file.find(ScaleForm.SCORING),
        file.find(ScaleForm.MAX_POINTS),
        file.find(BoardForm.RANKS),
        file.has(BoardForm.ADOPT));
  }

  /** None on a board that never closes; null if it is wrong. */
  private @Nullable Duration grace() {
    return calendar != null && !calendar.closes() ? Duration.ZERO : file.find(BoardForm.GRACE);
  }

  private long keptIds() {
    var said = file.find(BoardForm.KEPT_IDS);
    if (said != null) {
      return said;
    }
    return requireNonNull(calendar).longest().compareTo(LONG_PERIOD) > 0 ? LONG_KEPT_IDS : 0;
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
