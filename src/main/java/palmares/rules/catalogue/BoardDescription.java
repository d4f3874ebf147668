package palmares.rules.catalogue;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import palmares.rules.adoption.Adoption;
import palmares.rules.adoption.KeyPattern;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.Durability;
import palmares.rules.board.Invites;
import palmares.rules.board.Scoring;
import palmares.rules.calendar.CalendarTiling;
import palmares.rules.calendar.RecurringCalendar;
import palmares.rules.calendar.Slot;
import palmares.rules.catalogue.payouts.PayoutDescription;

/** A board as people read it on a terminal: its rules, its bits, its next periods. */
public final class BoardDescription {
  private static final DateTimeFormatter LOCAL = formatter("yyyy-MM-dd HH:mm:ssxxx");
  private static final DateTimeFormatter UTC = formatter("yyyy-MM-dd HH:mm:ss'Z'");

  private BoardDescription() {}

  /** How many periods a sheet lists. */
  public static final int SLOTS = 5;

  /** The sheet of a board at a time: the periods listed are the open one and those after it. */
  public static String of(Board board, Instant now) {
    return of(board, next(board, now));
  }

  /** The sheet of a board whose next periods are known. */
  public static String of(Board board, List<Slot> next) {
    var lines = new ArrayList<String>();
    lines.add(text("%s: %s", board.id(), board.title()));
    line(lines, "period", period(board));
    if (board.adoption() == null) {
      line(lines, "clock", board.clock().word());
      list(
          lines,
          "actions",
          board.actions().values().stream().map(action -> action(action, board.scale().scoring())));
      list(lines, "scale", ScaleDescription.of(board));
    } else {
      list(lines, "adopts", adoption(board.adoption()));
    }
    line(lines, "ranks", board.ranks().word());
    list(lines, "rewards", PayoutDescription.rules(board.payout()));
    list(lines, "payout", PayoutDescription.policy(board.payout()));
    var tier = board.tier();
    if (tier != null) {
      line(lines, "family", Families.sheet(tier));
    }
    if (board.durability() == Durability.COMMITTED) {
      line(lines, "durability", "committed: acknowledged when PostgreSQL has it");
    }
    var invites = board.invites();
    if (invites != null) {
      line(lines, "invites", invites(invites));
    }
    if (board.calendar().closes()) {
      line(lines, "retention", DurationText.word(board.retention()));
    }
    if (board.keptIds() > 0) {
      line(lines, "kept ids", text("the latest %,d of a period", board.keptIds()));
    }
    lines.addAll(periods(board, next));
    return String.join("\n", lines) + "\n";
  }

  private static void line(List<String> lines, String label, String value) {
    lines.add(text("  %-11s %s", label, value));
  }

  /** The label once, in front of the first value. */
  private static void list(List<String> lines, String label, Stream<String> values) {
    var left = values.toList();
    for (int i = 0; i < left.size(); i++) {
      line(lines, i == 0 ? label : "", left.get(i));
    }
  }

  private static String period(Board board) {
    var calendar = board.calendar();
    if (!calendar.closes()) {
      return text("one that never closes, in %s", board.zone());
    }
    var start =
        calendar instanceof RecurringCalendar recurring && calendar.kind().equals("week")
            ? " from " + recurring.weekStart().name().toLowerCase(Locale.ROOT)
            : "";
    return text(
        "%s%s in %s, closed %s after its end",
        calendar.kind(), start, board.zone(), DurationText.word(board.grace()));
  }

  private static Stream<String> adoption(Adoption adoption) {
    var encoding = adoption.encoding();
    return Stream.concat(
        adoption.keys().stream().map(KeyPattern::text),
        Stream.of(
            encoding.tellsTime()
                ? text(
                    "by %s, which tells times apart up to %,d points",
                    encoding.word(), encoding.exactPoints())
                : text("by %s, which tells no time", encoding.word())));
  }

  private static String action(Action action, Scoring scoring) {
    return text(
        "%s%s%s%s%s%s",
        action.name(),
        action.points() > 0 ? text(" %+d", action.points()) : " (its value)",
        action.maxQuantity() > 1 ? text(" each, up to %,d at once", action.maxQuantity()) : "",
        once(action, scoring),
        caps(action),
        action.undo() ? ", can be undone" : "");
  }

  /** What is not the default. */
  private static String once(Action action, Scoring scoring) {
    return switch (action.oncePer()) {
      case EVENT -> scoring.takesValues() ? "" : ", each time";
      case SUBJECT -> scoring.takesValues() ? ", once a subject" : "";
      case DAY -> ", once a day";
      case PERIOD -> ", once a period";
    };
  }

  private static String caps(Action action) {
    return (action.maxPerDay() > 0 ? text(", at most %,d a day", action.maxPerDay()) : "")
        + (action.maxPerPeriod() > 0 ? text(", at most %,d a period", action.maxPerPeriod()) : "");
  }

  private static String invites(Invites invites) {
    return text(
        "%s for whose code brought a member; own codes %s, unknown codes %s",
        invites.action(), said(invites.self()), said(invites.unknownCode()));
  }

  private static String said(Invites.Policy policy) {
    return policy == Invites.Policy.REFUSE ? "are refused" : "are ignored";
  }

  private static List<String> periods(Board board, List<Slot> slots) {
    if (slots.isEmpty()) {
      return List.of("  no period is open, and none is to come");
    }
    int width = slots.stream().mapToInt(slot -> slot.name().value().length()).max().orElseThrow();
    var row = text("  %%-%ds  %%-25s  %%-25s  %%s", Math.max(width, "next".length()));
    var rows = new ArrayList<String>();
    rows.add("");
    rows.add(text(row, "next", "begins", "ends", "ends, in UTC"));
    for (var slot : slots) {
      rows.add(
          text(
              row,
              slot.name(),
              local(slot.startsAt(), board.zone()),
              local(slot.endsAt(), board.zone()),
              UTC.withZone(ZoneOffset.UTC).format(slot.endsAt())));
    }
    for (int i = 0; i < slots.size(); i++) {
      if (!CalendarTiling.isOwn(board.calendar(), slots.get(i))) {
        rows.add(
            text(
                i == 0
                    ? "  %s keeps its boundaries, though the calendar or zone changed"
                    : "  %s bridges to this calendar: it begins where the period before it ends",
                slots.get(i).name()));
      }
    }
    return rows;
  }

  private static List<Slot> next(Board board, Instant now) {
    var slots = new ArrayList<Slot>();
    var slot = board.calendar().at(now).or(() -> board.calendar().startingFrom(now));
    while (slot.isPresent() && slots.size() < SLOTS) {
      slots.add(slot.get());
      slot = board.calendar().startingFrom(slot.get().endsAt());
    }
    return slots;
  }

  private static String local(Instant time, ZoneId zone) {
    return LOCAL.withZone(zone).format(time);
  }

  /** Figures as 1,000.5 on every machine, whatever its language. */
  static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static DateTimeFormatter formatter(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
  }
}
