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
import palmares.rules.board.Layout;
import palmares.rules.board.Scale;
import palmares.rules.board.Scoring;
import palmares.rules.board.ThenBy;
import palmares.rules.board.Tier;
import palmares.rules.calendar.CalendarTiling;
import palmares.rules.calendar.RecurringCalendar;
import palmares.rules.calendar.Slot;

/** Formats a board for a terminal: its rules, its bit budget, its next periods. */
public final class BoardDescription {
  private static final DateTimeFormatter LOCAL = formatter("yyyy-MM-dd HH:mm:ssxxx");
  private static final DateTimeFormatter UTC = formatter("yyyy-MM-dd HH:mm:ss'Z'");

  /** How many periods a description lists. */
  public static final int MAX_PERIODS = 5;

  /** Describes a board, with the period of a time and those after it by the board's calendar. */
  public static String of(Board board, Instant now) {
    return of(board, next(board, now));
  }

  /** Describes a board, with the given periods. */
  public static String of(Board board, List<Slot> next) {
    var lines = new ArrayList<String>();
    lines.add(text("%s: %s", board.id(), board.title()));
    line(lines, "period", period(board));
    board
        .kind()
        .run(() -> counted(lines, board), adoption -> list(lines, "adopts", adoption(adoption)));
    line(lines, "ranks", board.ranks().word());
    if (!board.exclusionLists().isEmpty()) {
      line(lines, "exclusions", "lists " + String.join(", ", board.exclusionLists()));
    }
    list(lines, "rewards", Rewards.describe(board.payout().rules()));
    list(lines, "payout", Payouts.describe(board.payout()));
    var tier = board.tier();
    if (tier != null) {
      line(lines, "family", tier(tier));
    }
    if (board.durability() == Durability.COMMITTED) {
      line(lines, "durability", "committed: acknowledged when PostgreSQL has it");
    }
    var invites = board.invites();
    if (invites != null) {
      line(lines, "invites", invites(invites));
    }
    if (board.calendar().closes()) {
      line(lines, "retention", DurationText.format(board.retention()));
    }
    if (board.isPublic()) {
      line(lines, "public", "everybody may read it");
    }
    if (board.keptIds() > 0) {
      line(lines, "kept ids", text("the latest %,d of a period", board.keptIds()));
    }
    lines.addAll(periods(board, next));
    return String.join("\n", lines) + "\n";
  }

  private static void counted(List<String> lines, Board board) {
    line(lines, "clock", board.clock().word());
    list(
        lines,
        "actions",
        board.actions().values().stream().map(action -> action(action, board.scale().scoring())));
    list(lines, "scale", scale(board));
  }

  private static void line(List<String> lines, String label, String value) {
    lines.add(text("  %-11s %s", label, value));
  }

  /** Adds one line per value; only the first has the label. */
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
        calendar.kind(), start, board.zone(), DurationText.format(board.grace()));
  }

  private static Stream<String> adoption(Adoption adoption) {
    var encoding = adoption.encoding();
    return Stream.concat(
        adoption.keys().stream().map(KeyPattern::text),
        Stream.of(
            encoding.storesTime()
                ? text(
                    "by %s, which distinguishes times up to %,d points",
                    encoding.word(), encoding.exactPoints())
                : text("by %s, which stores no time", encoding.word())));
  }

  private static String action(Action action, Scoring scoring) {
    return text(
        "%s%s%s%s%s%s",
        action.name(),
        action.points() > 0 ? text(" %+d", action.points()) : " (its value)",
        action.maxQuantity() > 1 ? text(" each, up to %,d at once", action.maxQuantity()) : "",
        oncePer(action, scoring),
        limits(action),
        action.undo() ? ", can be undone" : "");
  }

  /** Empty for the default of the board's scoring. */
  private static String oncePer(Action action, Scoring scoring) {
    return switch (action.oncePer()) {
      case EVENT -> scoring.takesValues() ? "" : ", each time";
      case SUBJECT -> scoring.takesValues() ? ", once a subject" : "";
      case DAY -> ", once a day";
      case PERIOD -> ", once a period";
    };
  }

  private static String limits(Action action) {
    return (action.maxPerDay() > 0 ? text(", at most %,d a day", action.maxPerDay()) : "")
        + (action.maxPerPeriod() > 0 ? text(", at most %,d a period", action.maxPerPeriod()) : "");
  }

  private static String tier(Tier tier) {
    return text(
        "%s, tier %d%s%s",
        tier.family(),
        tier.number(),
        tier.promote() == null ? "" : text("; %s go up", tier.promote()),
        tier.relegate() == null ? "" : text("; %s go down", tier.relegate()));
  }

  private static String invites(Invites invites) {
    return text(
        "%s for the owner of the invite code; own codes %s, unknown codes %s",
        invites.action(), describe(invites.self()), describe(invites.unknownCode()));
  }

  private static String describe(Invites.Policy policy) {
    return policy == Invites.Policy.REFUSE ? "are refused" : "are ignored";
  }

  private static List<String> periods(Board board, List<Slot> slots) {
    if (slots.isEmpty()) {
      return List.of("  no period is open, and none will be opened");
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
      if (!CalendarTiling.isRegular(board.calendar(), slots.get(i))) {
        rows.add(
            text(
                i == 0
                    ? "  %s keeps its boundaries although the calendar or zone has changed"
                    : "  %s bridges to this calendar: it begins where the previous period ends",
                slots.get(i).name()));
      }
    }
    return rows;
  }

  private static List<Slot> next(Board board, Instant now) {
    var slots = new ArrayList<Slot>();
    var slot = board.calendar().at(now).or(() -> board.calendar().startingFrom(now));
    while (slot.isPresent() && slots.size() < MAX_PERIODS) {
      slots.add(slot.get());
      slot = board.calendar().startingFrom(slot.get().endsAt());
    }
    return slots;
  }

  private static String local(Instant time, ZoneId zone) {
    return LOCAL.withZone(zone).format(time);
  }

  /** Formats numbers as 1,000.5 in every locale. */
  static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static DateTimeFormatter formatter(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
  }

  private static Stream<String> scale(Board board) {
    Scale scale = board.scale();
    return Stream.of(text("%s, up to %,d points", scoring(scale), scale.maxPoints()), bits(board));
  }

  private static String scoring(Scale scale) {
    String points =
        switch (scale.scoring()) {
          case ADD -> "points add up";
          case BEST -> "the best value";
          case LATEST -> "the latest value";
          case LOWEST_BEST -> "the lowest value";
        };
    ThenBy then = scale.thenBy();
    return then == null
        ? points
        : text(
            "%s, then the %s %s (up to %,d)",
            points, then.fewestWin() ? "fewest" : "most", then.name(), then.max());
  }

  private static String bits(Board board) {
    Scale scale = board.scale();
    var budget = board.budget();
    String ties =
        scale.tiebreak().byArrival()
            ? text("arrivals (up to %,d events)", scale.maxEvents())
            : text("time in %ss", scale.resolution().word());
    String then =
        scale.thenBy() == null
            ? ""
            : text("%d bits of %s + ", budget.thenBits(), scale.thenBy().name());
    String room =
        text(
            "%d bits of points = %d; room for %,d points",
            budget.pointsBits(), Layout.EXACT_BITS, budget.maxPoints());
    return scale.wide()
        ? text("wide: %s%s; %s outside the score", then, room, ties)
        : text("packed: %d bits of %s + %s%s", budget.tieBits(), ties, then, room);
  }
}
