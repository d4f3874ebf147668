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
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.form.Scalar;
import palmares.platform.form.SchemaNode.Entry;
import palmares.platform.form.SchemaNode.ListNode;
import palmares.platform.form.SchemaNode.OneOf;
import palmares.rules.board.Board.BoardClock;
import palmares.rules.board.BoardId;
import palmares.rules.board.RankMethod;
import palmares.rules.boardfiles.CalendarReader.Recurrence;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.SeasonCalendar.Edge;

/** Defines the fields of a board file, for the reader and the JSON Schema. */
final class BoardForm {
  private static final String NO_CONTROL = "[^\\x00-\\x1f\\x7f-\\x9f]";

  static final Field<String> TITLE =
      required(
          "title", text(new BoardFieldSentences.Title(), NO_CONTROL + "{1,80}", title -> title));

  static final Field<Recurrence> PERIOD =
      required(
          "period",
          OneOf.scalarOrForm(
              choice(CalendarReader.WORDS, word -> word).map(word -> new Recurrence(word, null)),
              CalendarReader.EVERY));

  static final Field<ZoneId> ZONE = optional("zone", zone(), "UTC");

  static final Field<DayOfWeek> WEEK_START =
      optional(
              "week-start",
              choice(List.of(DayOfWeek.values()), day -> day.name().toLowerCase(Locale.ROOT)),
              "monday")
          .onlyWith(PERIOD, "week");

  static final Field<LocalTime> STARTS_AT =
      optional(
              "starts-at",
              text(
                  new BoardFieldSentences.StartOfDay(),
                  "0\\d:[0-5]\\d|1[01]:[0-5]\\d|12:00",
                  LocalTime::parse),
              "00:00")
          .onlyWith(PERIOD, CalendarReader.DAYS);

  static final Field<PeriodName> SEASON_NAME =
      required(
          "name",
          text(
              new BoardFieldSentences.SeasonName(),
              "[A-Za-z0-9][A-Za-z0-9._-]{0,39}",
              PeriodName::new));
  static final Field<Edge> SEASON_FROM = required("from", edge());
  static final Field<Edge> SEASON_TO = required("to", edge());
  static final Form SEASON =
      new Form(new BoardFieldSentences.Season(), List.of(SEASON_NAME, SEASON_FROM, SEASON_TO));

  static final Field<List<Entry<Integer, FormValue>>> SEASONS =
      required("seasons", new ListNode<>(new BoardFieldSentences.Seasons(), SEASON))
          .onlyWith(PERIOD, CalendarReader.SEASONS);

  static final Field<LocalDate> STARTS =
      required("starts", date()).onlyWith(PERIOD, CalendarReader.NONE);

  static final Field<LocalDate> UNTIL =
      optional("until", date(), "2100-01-01").onlyWith(PERIOD, CalendarReader.NONE);

  static final Field<Duration> GRACE =
      optional("grace", DurationText.grace(), "10m").onlyWith(PERIOD, CalendarReader.CLOSING);

  static final Field<FormValue> ADOPT =
      optional("adopt", Adoptions.ADOPTION).onlyWith(PERIOD, CalendarReader.CLOSING);

  static final Field<BoardClock> CLOCK = optional("clock", choice(BoardClock.values()), "server");

  static final Field<RankMethod> RANKS = optional("ranks", choice(RankMethod.values()), "unique");

  static final Field<List<Entry<Integer, String>>> EXCLUSIONS =
      optional(
          "exclusions",
          new ListNode<>(
              new BoardFieldSentences.ListNames(),
              text(new BoardFieldSentences.ListName(), BoardId.REGEX, name -> name)));

  static final Field<List<Entry<Integer, FormValue>>> REWARDS =
      Rewards.REWARDS.onlyWith(PERIOD, CalendarReader.CLOSING);

  static final Field<FormValue> PAYOUT = Payouts.PAYOUT.onlyWith(PERIOD, CalendarReader.CLOSING);

  static final Field<FormValue> FAMILY = Families.FAMILY.onlyWith(PERIOD, CalendarReader.CLOSING);

  static final Field<Period> RETENTION =
      optional("retention", DurationText.retention()).onlyWith(PERIOD, CalendarReader.CLOSING);

  static final Field<Long> KEPT_IDS = optional("kept-ids", whole(1, 1_000_000_000));

  static final Field<Boolean> PUBLIC = optional("public", flag(), false);

  static final Form BOARD =
      new Form(
          new BoardFieldSentences.Board(),
          List.of(
              TITLE,
              PERIOD,
              SEASONS,
              STARTS,
              UNTIL,
              ZONE,
              WEEK_START,
              STARTS_AT,
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
              WatchForm.WATCH.without(ADOPT),
              RETENTION,
              KEPT_IDS.without(ADOPT),
              PUBLIC));

  private BoardForm() {}

  private static Scalar<Edge> edge() {
    return text(
        new BoardFieldSentences.SeasonEdge(),
        "(19[7-9]\\d|2[01]\\d{2})-\\d{2}-\\d{2}(T([01]\\d|2[0-3]):[0-5]\\d)?",
        Edge::parse);
  }

  /** Regions of the IANA database and UTC; other zone ids, such as EST and GMT0, name no region. */
  private static Scalar<ZoneId> zone() {
    var names = new TreeSet<>(Set.of("UTC"));
    ZoneId.getAvailableZoneIds().stream()
        .filter(name -> name.contains("/"))
        .filter(name -> !name.startsWith("Etc/") && !name.startsWith("SystemV/"))
        .forEach(names::add);
    // Only the rules of a zone that is named are read: those of all take long at a start.
    return choice(new BoardFieldSentences.Zone(), names, ZoneId::of);
  }
}
