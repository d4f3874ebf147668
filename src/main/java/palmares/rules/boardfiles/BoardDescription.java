package palmares.rules.boardfiles;

import static java.util.stream.Collectors.joining;
import static palmares.platform.output.DisplayWidth.padded;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.rules.adoption.Adoption;
import palmares.rules.adoption.KeyPattern;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Durability;
import palmares.rules.board.Board.Invites;
import palmares.rules.board.Board.Invites.Qualification;
import palmares.rules.board.Board.Invites.Review;
import palmares.rules.board.Layout;
import palmares.rules.board.Scale;
import palmares.rules.board.Scale.Scoring;
import palmares.rules.board.Scale.ThenBy;
import palmares.rules.board.Tier;
import palmares.rules.board.Watch;
import palmares.rules.calendar.CalendarTiling;
import palmares.rules.calendar.Cycle.Every;
import palmares.rules.calendar.Cycle.Regular;
import palmares.rules.calendar.PeriodUnit;
import palmares.rules.calendar.RecurringCalendar;
import palmares.rules.calendar.Slot;

/** Describes a board in words: its rules, its bit budget, its next periods. */
public final class BoardDescription {
  private static final DateTimeFormatter LOCAL = formatter("yyyy-MM-dd HH:mm:ssxxx");
  private static final DateTimeFormatter UTC = formatter("yyyy-MM-dd HH:mm:ss'Z'");

  /** How many periods a description lists. */
  public static final int MAX_PERIODS = 5;

  private static final int LABEL_WIDTH = 11;

  /** That of a local time with its offset. */
  private static final int TIME_WIDTH = 25;

  private final Phrases phrases;
  private final List<Rule> rules = new ArrayList<>();

  private BoardDescription(Locale locale) {
    this.phrases = new Phrases(locale);
  }

  /** Says what the rules of a board say about one thing, in sentences. */
  public record Rule(String label, List<String> lines) {}

  /** Describes a board, with the period of a time and those after it by the board's calendar. */
  public static String of(Board board, Instant now, Locale locale) {
    return of(board, next(board, now), locale);
  }

  /** Describes a board for a terminal in a language, with the given periods. */
  public static String of(Board board, List<Slot> next, Locale locale) {
    var description = new BoardDescription(locale);
    description.add(board);
    var lines = new ArrayList<String>();
    lines.add(text("%s: %s", board.id(), board.title()));
    for (Rule rule : description.rules) {
      String label = rule.label();
      for (String line : rule.lines()) {
        lines.add("  " + padded(label, LABEL_WIDTH) + " " + line);
        label = "";
      }
    }
    lines.addAll(description.periods(board, next));
    return String.join("\n", lines) + "\n";
  }

  /** The rules of a board in a language; English if there is none. */
  public static List<Rule> rules(Board board, Locale locale) {
    var description = new BoardDescription(locale);
    description.add(board);
    return List.copyOf(description.rules);
  }

  private void add(Board board) {
    line("period", period(board));
    board.kind().run(() -> counted(board), adoption -> list("adopts", adoption(adoption)));
    line("ranks", phrases.word("ranks", board.ranks().word()));
    if (!board.exclusionLists().isEmpty()) {
      line("exclusions", phrases.of("lists", String.join(", ", board.exclusionLists())));
    }
    list("rewards", Rewards.describe(board.payout().rules(), phrases));
    boolean fewestWin = board.scale().scoring().fewestWin();
    list("payout", Payouts.describe(board.payout(), fewestWin, phrases));
    var tier = board.tier();
    if (tier != null) {
      line("family", tier(tier));
    }
    if (board.durability() == Durability.COMMITTED) {
      line("durability", phrases.of("committed"));
    }
    var invites = board.invites();
    if (invites != null) {
      line("invites", invites(invites));
      if (invites.qualification() != null) {
        line("qualifies", qualification(invites.qualification()));
      }
      if (invites.review() != null) {
        line("review", review(invites.review()));
      }
    }
    if (board.watch() != null) {
      list("watch", watch(board.watch(), board.scale().scoring().fewestWin()));
    }
    if (board.calendar().closes()) {
      line("retention", retention(board.retention()));
    }
    if (board.isPublic()) {
      line("public", phrases.of("public"));
    }
    if (board.keptIds() > 0) {
      line("kept-ids", phrases.of("kept-ids", board.keptIds()));
    }
  }

  private String retention(Period kept) {
    if (kept.toTotalMonths() == 0) {
      return phrases.of("days", kept.getDays());
    }
    return kept.getMonths() == 0
        ? phrases.of("years", kept.getYears())
        : phrases.of("months", kept.toTotalMonths());
  }

  private void counted(Board board) {
    line("clock", phrases.word("clock", board.clock().word()));
    list(
        "actions",
        board.actions().values().stream().map(action -> action(action, board.scale().scoring())));
    list("scale", scale(board));
  }

  private void line(String word, String value) {
    list(word, Stream.of(value));
  }

  private void list(String word, Stream<String> values) {
    List<String> lines = values.toList();
    if (!lines.isEmpty()) {
      rules.add(new Rule(phrases.of("label." + word), lines));
    }
  }

  private String period(Board board) {
    var calendar = board.calendar();
    if (!calendar.closes()) {
      return phrases.of("never-closes", board.zone().getId());
    }
    String grace = length(board.grace());
    return calendar instanceof RecurringCalendar recurring
            && recurring.cycle() instanceof Regular regular
            && regular.unit() == PeriodUnit.WEEK
        ? phrases.of("week", kind(board), weekday(regular.weekStart()), board.zone().getId(), grace)
        : phrases.of("period", kind(board), board.zone().getId(), grace);
  }

  private String kind(Board board) {
    if (!(board.calendar() instanceof RecurringCalendar recurring)) {
      return phrases.word("calendar", board.calendar().kind());
    }
    String kind =
        recurring.cycle() instanceof Every every
            ? phrases.of(
                "every",
                every.count(),
                phrases.word("unit", every.unit().word()),
                every.from().toString())
            : phrases.word("calendar", recurring.kind());
    return recurring.startsAt().equals(LocalTime.MIDNIGHT)
        ? kind
        : phrases.of("starts-at", kind, recurring.startsAt().toString());
  }

  private String length(Duration time) {
    String length =
        (time.toHours() > 0 ? phrases.of("hours", time.toHours()) : "")
            + (time.toMinutesPart() > 0 ? phrases.of("minutes", time.toMinutesPart()) : "")
            + (time.toSecondsPart() > 0 ? phrases.of("seconds", time.toSecondsPart()) : "");
    return length.isEmpty() ? phrases.of("seconds", 0) : length.strip();
  }

  private String weekday(DayOfWeek day) {
    return day.getDisplayName(TextStyle.FULL, phrases.locale());
  }

  private Stream<String> adoption(Adoption adoption) {
    var encoding = adoption.encoding();
    return Stream.concat(
        adoption.keys().stream().map(KeyPattern::text),
        Stream.of(
            encoding.storesTime()
                ? phrases.of("stores-time", encoding.word(), encoding.exactPoints())
                : phrases.of("stores-no-time", encoding.word())));
  }

  private String action(Action action, Scoring scoring) {
    return action.name()
        + (action.points() > 0 ? text(" %+d", action.points()) : phrases.of("its-value"))
        + (action.maxQuantity() > 1 ? phrases.of("quantity", action.maxQuantity()) : "")
        + oncePer(action, scoring)
        + (action.maxPerDay() > 0 ? phrases.of("most-a-day", action.maxPerDay()) : "")
        + (action.maxPerPeriod() > 0 ? phrases.of("most-a-period", action.maxPerPeriod()) : "")
        + (action.undo() ? phrases.of("undo") : "");
  }

  /** Empty for the default of the board's scoring. */
  private String oncePer(Action action, Scoring scoring) {
    return switch (action.oncePer()) {
      case EVENT -> scoring.takesValues() ? "" : phrases.of("each-time");
      case SUBJECT -> scoring.takesValues() ? phrases.of("once-a-subject") : "";
      case SUBJECT_A_DAY -> phrases.of("once-a-subject-a-day");
      case DAY -> phrases.of("once-a-day");
      case PERIOD -> phrases.of("once-a-period");
    };
  }

  private String tier(Tier tier) {
    return phrases.of("tier", tier.family(), tier.number())
        + (tier.promote() == null ? "" : phrases.of("promote", tier.promote().toString()))
        + (tier.relegate() == null ? "" : phrases.of("relegate", tier.relegate().toString()));
  }

  private String invites(Invites invites) {
    return phrases.of(
        "invites", invites.action(), describe(invites.self()), describe(invites.unknownCode()));
  }

  private String qualification(Qualification qualification) {
    Duration within = qualification.within();
    String days = within.toDays() > 0 ? phrases.of("days", within.toDays()) + " " : "";
    Duration rest = within.minusDays(within.toDays());
    return phrases.of(
        qualification.countedIn().isOfRegistration() ? "by-registration" : "by-qualifying",
        qualification.action(),
        qualification.board() == null ? "" : phrases.of("on-board", qualification.board().value()),
        qualification.atLeast(),
        (days + (rest.isZero() ? "" : length(rest))).strip());
  }

  private Stream<String> watch(Watch watch, boolean fewestWin) {
    return Stream.of(
            watch.tops().stream().map(top -> phrases.of("watch-top", top)),
            watch.points().stream()
                .map(points -> phrases.of(fewestWin ? "watch-at-most" : "watch-points", points)),
            watch.passed()
                ? Stream.of(phrases.of("watch-passed", watch.largestTop()))
                : Stream.<String>empty())
        .flatMap(lines -> lines);
  }

  private String review(Review review) {
    return phrases.of(
        "review",
        Stream.of(
                flaggedFrom("review-chain", review.chain()),
                flaggedFrom("review-address", review.sameAddress()),
                flaggedFrom("review-device", review.sameDevice()))
            .flatMap(Optional::stream)
            .collect(joining(" · ")));
  }

  private Optional<String> flaggedFrom(String phrase, @Nullable Long number) {
    return Optional.ofNullable(number).map(limit -> phrases.of(phrase, limit));
  }

  private String describe(Invites.Policy policy) {
    return phrases.of(policy == Invites.Policy.REFUSE ? "are-refused" : "are-ignored");
  }

  private List<String> periods(Board board, List<Slot> slots) {
    if (slots.isEmpty()) {
      return List.of("  " + phrases.of("next.none"));
    }
    int width = width(slots);
    var rows = new ArrayList<String>();
    rows.add("");
    rows.add(
        row(
            width,
            phrases.of("next"),
            phrases.of("next.begins"),
            phrases.of("next.ends"),
            phrases.of("next.ends-in-utc")));
    for (var slot : slots) {
      rows.add(
          row(
              width,
              slot.name().value(),
              local(slot.startsAt(), board.zone()),
              local(slot.endsAt(), board.zone()),
              UTC.withZone(ZoneOffset.UTC).format(slot.endsAt())));
    }
    rows.addAll(board.kind().map(List::of, adoption -> keys(board, adoption, slots)));
    for (int i = 0; i < slots.size(); i++) {
      if (!CalendarTiling.isRegular(board.calendar(), slots.get(i))) {
        String phrase = i == 0 ? "next.keeps" : "next.bridges";
        rows.add("  " + phrases.of(phrase, slots.get(i).name().value()));
      }
    }
    return rows;
  }

  /** Lists the keys that a closing looks for. */
  private List<String> keys(Board board, Adoption adoption, List<Slot> slots) {
    var rows = new ArrayList<String>();
    rows.add("");
    rows.add(row(width(slots), phrases.of("next"), phrases.of("next.keys")));
    for (var slot : slots) {
      List<String> keys = adoption.keys(board.calendarSlot(slot), board.zone());
      rows.add(row(width(slots), slot.name().value(), String.join(", ", keys)));
    }
    return rows;
  }

  private static int width(List<Slot> slots) {
    return slots.stream()
        .mapToInt(slot -> slot.name().value().length())
        .reduce("next".length(), Math::max);
  }

  /** A row of a table; the last cell is as wide as it is. */
  private static String row(int width, String name, String... cells) {
    var row = new StringBuilder("  ").append(padded(name, width));
    for (int i = 0; i < cells.length; i++) {
      row.append("  ").append(i == cells.length - 1 ? cells[i] : padded(cells[i], TIME_WIDTH));
    }
    return row.toString();
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

  private Stream<String> scale(Board board) {
    Scale scale = board.scale();
    return Stream.of(phrases.of("scale", scoring(scale), scale.maxPoints()), bits(board));
  }

  private String scoring(Scale scale) {
    String points =
        phrases.of(
            switch (scale.scoring()) {
              case ADD -> "add";
              case BEST -> "best";
              case LATEST -> "latest";
              case LOWEST_BEST -> "lowest";
            });
    ThenBy then = scale.thenBy();
    return then == null
        ? points
        : phrases.of(
            then.fewestWin() ? "then-fewest" : "then-most", points, then.name(), then.max());
  }

  private String bits(Board board) {
    Scale scale = board.scale();
    var budget = board.budget();
    String ties =
        phrases.of(
            "ties-by-" + scale.tiebreak().word(), scale.maxEvents(), scale.resolution().word());
    String then =
        scale.thenBy() == null
            ? ""
            : phrases.of("then-bits", budget.thenBits(), scale.thenBy().name());
    String room = phrases.of("room", budget.pointsBits(), Layout.EXACT_BITS, budget.maxPoints());
    return scale.wide()
        ? phrases.of("wide", then + room, ties)
        : phrases.of("packed", budget.tieBits(), ties, then + room);
  }
}
