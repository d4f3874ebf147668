package palmares.rules.boardfiles;

import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalar.choice;
import static palmares.platform.form.Scalar.date;
import static palmares.platform.form.Scalar.flag;
import static palmares.platform.form.Scalar.text;
import static palmares.platform.form.Scalar.whole;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.form.Scalar;
import palmares.platform.form.SchemaNode.Entry;
import palmares.platform.form.SchemaNode.ListNode;
import palmares.rules.board.Board.BoardClock;
import palmares.rules.board.BoardId;
import palmares.rules.board.RankMethod;
import palmares.rules.calendar.PeriodName;

/** Defines the fields of a board file, for the reader and the JSON Schema. */
final class BoardForm {
  private static final String NO_CONTROL = "[^\\x00-\\x1f\\x7f-\\x9f]";

  static final Field<String> TITLE =
      required(
          "title",
          text("a text of 1 to 80 characters", NO_CONTROL + "{1,80}", title -> title),
          "What people call the board.");

  static final Field<String> PERIOD =
      required(
          "period",
          choice(CalendarReader.WORDS, word -> word),
          "How long one run lasts: a day, week, month, quarter or year of the calendar, seasons"
              + " with dates of their own, or none for a board that never closes.");

  static final Field<ZoneId> ZONE =
      optional(
          "zone",
          zone(),
          "UTC",
          "Where its days begin: an IANA name such as Asia/Shanghai. Abbreviations (EST) and bare"
              + " offsets (+08:00) are refused: they follow no region's clocks, and PostgreSQL"
              + " reads the signs of offsets the other way round.");

  static final Field<DayOfWeek> WEEK_START =
      optional(
              "week-start",
              choice(List.of(DayOfWeek.values()), day -> day.name().toLowerCase(Locale.ROOT)),
              "monday",
              "The first day of a week. A year's first week is the one with at least four of its"
                  + " days, so monday makes ISO weeks.")
          .onlyWith(PERIOD, "week");

  static final Field<PeriodName> SEASON_NAME =
      required(
          "name",
          text(
              "a name of 1 to 40 letters, digits, '.', '_' or '-'",
              "[A-Za-z0-9][A-Za-z0-9._-]{0,39}",
              PeriodName::new),
          "What the season is called, here and in every report. No two share a name.");
  static final Field<LocalDate> SEASON_FROM = required("from", date(), "Its first day.");
  static final Field<LocalDate> SEASON_TO =
      required("to", date(), "Its last day, which still belongs to it.");
  static final Form SEASON = new Form("a season", List.of(SEASON_NAME, SEASON_FROM, SEASON_TO));

  static final Field<List<Entry<Integer, FormValue>>> SEASONS =
      required(
              "seasons",
              new ListNode<>("a list of seasons", SEASON),
              "The seasons in order of time; days between two of them belong to none.")
          .onlyWith(PERIOD, CalendarReader.SEASONS);

  static final Field<LocalDate> STARTS =
      required("starts", date(), "The first day that counts on a board that never closes.")
          .onlyWith(PERIOD, CalendarReader.NONE);

  static final Field<LocalDate> UNTIL =
      optional(
              "until",
              date(),
              "2100-01-01",
              "The day that a board that never closes counts up to. The later it is, the fewer"
                  + " points fit into a score.")
          .onlyWith(PERIOD, CalendarReader.NONE);

  static final Field<Duration> GRACE =
      optional(
              "grace",
              DurationText.grace(),
              "10m",
              "How long after a period's end its events may still arrive: 90s, 10m, 1h30m, or as"
                  + " ISO 8601 PT10M; at most seven days.")
          .onlyWith(PERIOD, CalendarReader.CLOSING);

  static final Field<FormValue> ADOPT =
      optional(
              "adopt",
              Adoptions.ADOPTION,
              "For a board that a program of yours writes into Redis, and goes on writing: which"
                  + " keys, and how they hold points and time. Palmares does the closing.")
          .onlyWith(PERIOD, CalendarReader.CLOSING);

  static final Field<BoardClock> CLOCK =
      optional(
          "clock",
          choice(BoardClock.values()),
          "server",
          "Whose time an event counts by: the server's at which it arrives, or the event's own"
              + " occurredAt.");

  static final Field<RankMethod> RANKS =
      optional(
          "ranks",
          choice(RankMethod.values()),
          "unique",
          "How equal points share places: unique 1 2 3 4 (the earlier first), competition 1 2 2 4,"
              + " dense 1 2 2 3.");

  static final Field<List<Entry<Integer, String>>> EXCLUSIONS =
      optional(
          "exclusions",
          new ListNode<>(
              "a list of names of lists",
              text(
                  "the name of a list: 1 to 40 lower-case letters, digits and hyphens, beginning"
                      + " with a letter",
                  BoardId.REGEX,
                  name -> name)),
          "Whose members may not win: the names of lists of excluded members, such as staff or"
              + " bots, which PostgreSQL keeps. A closing stops if a list does not exist.");

  static final Field<List<Entry<Integer, FormValue>>> REWARDS =
      Rewards.REWARDS.onlyWith(PERIOD, CalendarReader.CLOSING);

  static final Field<FormValue> PAYOUT = Payouts.PAYOUT.onlyWith(PERIOD, CalendarReader.CLOSING);

  static final Field<FormValue> FAMILY = Families.FAMILY.onlyWith(PERIOD, CalendarReader.CLOSING);

  static final Field<Period> RETENTION =
      optional(
              "retention",
              DurationText.retention(),
              "How long after a period's end its live keys stay in Redis at the least: 31 days, 8"
                  + " weeks, 12 months, 2 years, or as ISO 8601 P31D; at most ten years. If not"
                  + " said, 31 days for days and weeks and 12 months for longer periods.")
          .onlyWith(PERIOD, CalendarReader.CLOSING);

  static final Field<Long> KEPT_IDS =
      optional(
          "kept-ids",
          whole(1, 1_000_000_000),
          "How many of the latest events' ids Redis keeps for a period, by which it knows repeats;"
              + " 143 bytes each. A repeat of an older event is known from PostgreSQL, which is"
              + " then asked about every event that Redis does not know. If not said, all ids where"
              + " periods last at most 100 days, and 1,000,000 where they last longer.");

  static final Field<Boolean> PUBLIC =
      optional(
          "public",
          flag(),
          false,
          "Whether everybody may read the board over the API, without a key. Otherwise readers need"
              + " a key or a person's sign-in.");

  static final Form BOARD =
      new Form(
          "a board",
          List.of(
              TITLE,
              PERIOD,
              SEASONS,
              STARTS,
              UNTIL,
              ZONE,
              WEEK_START,
              GRACE,
              ADOPT,
              CLOCK.without(ADOPT),
              Actions.ACTIONS.without(ADOPT),
              Scales.SCORING.without(ADOPT),
              Scales.MAX_POINTS.without(ADOPT),
              Scales.THEN_BY.without(ADOPT),
              Scales.TIEBREAK.without(ADOPT),
              Scales.MAX_EVENTS,
              Scales.RESOLUTION.without(ADOPT),
              Scales.LAYOUT.without(ADOPT),
              RANKS,
              EXCLUSIONS,
              REWARDS,
              PAYOUT,
              FAMILY,
              InvitesForm.DURABILITY.without(ADOPT),
              InvitesForm.INVITES,
              RETENTION,
              KEPT_IDS.without(ADOPT),
              PUBLIC));

  private BoardForm() {}

  /** Regions of the IANA database and UTC; other zone ids, such as EST and GMT0, name no region. */
  private static Scalar<ZoneId> zone() {
    var zones = new TreeMap<String, ZoneId>();
    zones.put("UTC", ZoneId.of("UTC"));
    ZoneId.getAvailableZoneIds().stream()
        .filter(name -> name.contains("/"))
        .filter(name -> !name.startsWith("Etc/") && !name.startsWith("SystemV/"))
        .forEach(name -> zones.put(name, ZoneId.of(name)));
    return choice(
        "an IANA zone such as Asia/Shanghai, America/New_York or UTC (no abbreviation such as EST,"
            + " no offset such as +08:00)",
        zones);
  }
}
