package palmares.rules.boardfiles;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Period;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Faults;
import palmares.platform.form.FormValue;
import palmares.platform.form.SchemaNode.Entry;
import palmares.platform.form.YamlText;
import palmares.rules.board.Board;
import palmares.rules.board.Board.BoardSource;
import palmares.rules.board.BoardId;
import palmares.rules.board.BoardKind;
import palmares.rules.calendar.Calendar;
import palmares.rules.calendar.Calendar.Listed;

/** Reads a board from the text of its file: first each field, then the fields together. */
final class BoardReader {
  private static final Period RETENTION_OF_SHORT_PERIODS = Period.ofDays(31);
  private static final Period RETENTION_OF_LONG_PERIODS = Period.ofMonths(12);
  private static final Duration SHORT = Duration.ofDays(8);
  private static final Duration MAX_LENGTH_WITH_ALL_IDS = Duration.ofDays(100);
  private static final long KEPT_IDS_OF_LONG_PERIODS = 1_000_000;

  private final FormValue file;
  private final @Nullable Calendar calendar;

  private BoardReader(FormValue file) {
    this.file = file;
    this.calendar = CalendarReader.read(file);
  }

  /** Reads the board; returns null and records all faults if it is invalid. */
  static @Nullable Board read(BoardId id, String text, Faults faults) {
    var root = YamlText.read(text, faults);
    var file = root == null ? null : BoardForm.BOARD.read(root);
    if (file == null) {
      return null;
    }
    var reader = new BoardReader(file);
    Actions.check(file, reader.calendar);
    var adoption = Adoptions.read(file, reader.calendar, reader.grace());
    var scale =
        file.has(BoardForm.ADOPT)
            ? Adoptions.scale(file)
            : Scales.read(file, reader.calendar, reader.grace());
    var payout = Payouts.read(file);
    var tier = Families.read(file);
    InvitesForm.check(file);
    WatchForm.check(file);
    var lists = exclusionLists(file);
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
        adoption == null ? new BoardKind.Counted() : new BoardKind.Adopted(adoption),
        adoption == null ? Actions.of(file) : Map.of(),
        scale,
        file.get(BoardForm.RANKS),
        lists,
        payout,
        tier,
        file.get(InvitesForm.DURABILITY),
        file.find(InvitesForm.INVITES),
        file.find(WatchForm.WATCH),
        reader.retention(),
        reader.keptIds(),
        file.get(BoardForm.PUBLIC),
        BoardSource.of(text));
  }

  private static List<String> exclusionLists(FormValue file) {
    var names = new LinkedHashSet<String>();
    var stated = file.find(BoardForm.EXCLUSIONS);
    for (var entry : stated == null ? List.<Entry<Integer, String>>of() : stated) {
      String name = entry.value();
      if (name != null && !names.add(name)) {
        entry.fault(new BoardFileSentences.ListNamedTwice(name));
      }
    }
    return List.copyOf(names);
  }

  /** Zero on a board that never closes; null if invalid. */
  private @Nullable Duration grace() {
    return calendar != null && !calendar.closes() ? Duration.ZERO : file.find(BoardForm.GRACE);
  }

  private long keptIds() {
    var stated = file.find(BoardForm.KEPT_IDS);
    if (stated != null) {
      return stated;
    }
    return requireNonNull(calendar).longest().compareTo(MAX_LENGTH_WITH_ALL_IDS) > 0
        ? KEPT_IDS_OF_LONG_PERIODS
        : 0;
  }

  private Period retention() {
    var stated = file.find(BoardForm.RETENTION);
    if (stated != null) {
      return stated;
    }
    Calendar known = requireNonNull(calendar);
    return !(known instanceof Listed) && known.longest().compareTo(SHORT) <= 0
        ? RETENTION_OF_SHORT_PERIODS
        : RETENTION_OF_LONG_PERIODS;
  }
}
