package palmares.rules.boardfiles;

import static java.util.Objects.requireNonNull;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalar.choice;
import static palmares.platform.form.Scalar.date;
import static palmares.platform.form.Scalar.whole;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.form.SchemaNode;
import palmares.platform.form.SchemaNode.Entry;
import palmares.platform.text.InvalidValue;
import palmares.rules.calendar.Calendar;
import palmares.rules.calendar.Cycle;
import palmares.rules.calendar.Cycle.Every;
import palmares.rules.calendar.Cycle.Every.Unit;
import palmares.rules.calendar.Cycle.Regular;
import palmares.rules.calendar.EndlessCalendar;
import palmares.rules.calendar.HourCalendar;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.PeriodUnit;
import palmares.rules.calendar.RecurringCalendar;
import palmares.rules.calendar.SeasonCalendar;
import palmares.rules.calendar.SeasonCalendar.Edge;
import palmares.rules.calendar.SeasonCalendar.Season;

/** Reads the calendar of a board file. */
final class CalendarReader {
  static final String SEASONS = "seasons";
  static final String NONE = "none";
  private static final List<String> UNITS =
      Stream.of(PeriodUnit.values()).map(PeriodUnit::word).toList();
  static final List<String> WORDS =
      Stream.of(List.of(HourCalendar.KIND), UNITS, List.of(SEASONS, NONE))
          .flatMap(List::stream)
          .toList();

  /** The calendars of whole days. */
  static final String[] DAYS =
      Stream.concat(UNITS.stream(), Stream.of(Field.GROUP)).toArray(String[]::new);

  static final String[] CLOSING =
      Stream.concat(WORDS.stream().filter(word -> !word.equals(NONE)), Stream.of(Field.GROUP))
          .toArray(String[]::new);

  private static final int MAX_COUNT = 366;
  private static final Field<Long> COUNT = required("every", whole(1, MAX_COUNT));
  private static final Field<Unit> UNIT = required("unit", choice(Unit.values()));
  private static final Field<LocalDate> FROM = required("from", date());
  static final SchemaNode<Recurrence> EVERY =
      new Form(new BoardFieldSentences.Every(), List.of(COUNT, UNIT, FROM))
          .map(CalendarReader::every);

  /**
   * What a board file says of how often its periods begin.
   *
   * @param word of the calendar
   * @param every several days, weeks or months at a time; null for another calendar
   */
  record Recurrence(String word, @Nullable Every every) {}

  private CalendarReader() {}

  /** Reads the calendar; returns null and records the faults if a field is invalid. */
  static @Nullable Calendar read(FormValue file) {
    var period = file.find(BoardForm.PERIOD);
    var zone = file.find(BoardForm.ZONE);
    if (period == null || zone == null) {
      return null;
    }
    return switch (period.word()) {
      case SEASONS -> seasons(file, zone);
      case NONE -> endless(file, zone);
      case HourCalendar.KIND -> new HourCalendar(zone);
      default -> recurring(file, period, zone);
    };
  }

  private static @Nullable Recurrence every(FormValue form) {
    if (!form.isValid()) {
      return null;
    }
    Unit unit = form.get(UNIT);
    LocalDate from = form.get(FROM);
    if (unit == Unit.MONTHS && from.getDayOfMonth() > Every.LAST_DAY_OF_EVERY_MONTH) {
      form.fault(FROM, new BoardFileSentences.NotInEveryMonth(from));
      return null;
    }
    return new Recurrence(Every.KIND, new Every(form.get(COUNT).intValue(), unit, from));
  }

  private static Calendar recurring(FormValue file, Recurrence period, ZoneId zone) {
    // An invalid field is a fault already; with a default the other fields can be checked.
    var weekStart = file.find(BoardForm.WEEK_START);
    var startsAt = file.find(BoardForm.STARTS_AT);
    Cycle cycle = period.every();
    if (cycle == null) {
      cycle =
          new Regular(
              PeriodUnit.valueOf(period.word().toUpperCase(Locale.ROOT)),
              weekStart == null ? DayOfWeek.MONDAY : weekStart);
    }
    return new RecurringCalendar(cycle, zone, startsAt == null ? LocalTime.MIDNIGHT : startsAt);
  }

  private static @Nullable Calendar endless(FormValue file, ZoneId zone) {
    var starts = file.find(BoardForm.STARTS);
    var until = file.find(BoardForm.UNTIL);
    if (starts == null || until == null) {
      return null;
    }
    if (!starts.isBefore(until)) {
      file.fault(BoardForm.UNTIL, new BoardFileSentences.NotAfterStarts(starts, until));
      return null;
    }
    return new EndlessCalendar(zone, starts, until);
  }

  private static @Nullable Calendar seasons(FormValue file, ZoneId zone) {
    var entries = file.find(BoardForm.SEASONS);
    if (entries == null || !entries.stream().allMatch(CalendarReader::isWhole)) {
      return null;
    }
    var seasons = new ArrayList<Season>();
    var names = new HashSet<PeriodName>();
    boolean isValid = true;
    for (var entry : entries) {
      var form = requireNonNull(entry.value());
      var season =
          new Season(
              form.get(BoardForm.SEASON_NAME),
              form.get(BoardForm.SEASON_FROM),
              form.get(BoardForm.SEASON_TO));
      var previousEnd =
          seasons.isEmpty() ? LocalDateTime.MIN : seasons.get(seasons.size() - 1).to().end();
      isValid &=
          isInOrder(form, season, previousEnd)
              && exists(form, BoardForm.SEASON_FROM, zone)
              && exists(form, BoardForm.SEASON_TO, zone);
      if (!names.add(season.name())) {
        form.fault(
            BoardForm.SEASON_NAME, new BoardFileSentences.SeasonNamedTwice(season.name().value()));
        isValid = false;
      }
      seasons.add(season);
    }
    return isValid ? calendar(file, zone, seasons) : null;
  }

  private static boolean isWhole(Entry<Integer, FormValue> entry) {
    return entry.value() != null && entry.value().isValid();
  }

  private static boolean isInOrder(FormValue form, Season season, LocalDateTime previousEnd) {
    if (!season.to().end().isAfter(season.from().local())) {
      form.fault(
          BoardForm.SEASON_TO,
          new BoardFileSentences.SeasonBackwards(season.from().toString(), season.to().toString()));
      return false;
    }
    if (season.from().local().isBefore(previousEnd)) {
      form.fault(
          BoardForm.SEASON_FROM, new BoardFileSentences.SeasonOverlaps(previousEnd.toString()));
      return false;
    }
    return true;
  }

  private static boolean exists(FormValue form, Field<Edge> field, ZoneId zone) {
    Edge edge = form.get(field);
    if (edge.isSkipped(zone)) {
      form.fault(field, new BoardFileSentences.SeasonSkipped(edge.toString(), zone.getId()));
      return false;
    }
    return true;
  }

  private static @Nullable Calendar calendar(FormValue file, ZoneId zone, List<Season> seasons) {
    try {
      return new SeasonCalendar(zone, seasons);
    } catch (InvalidValue e) {
      // A zone may skip dates: a season of only 30 December 2011 in Samoa is empty.
      file.fault(BoardForm.SEASONS, new BoardFileSentences.SeasonsInvalid(e.said()));
      return null;
    }
  }
}
