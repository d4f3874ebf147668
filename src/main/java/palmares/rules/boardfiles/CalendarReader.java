package palmares.rules.boardfiles;

import static java.util.Objects.requireNonNull;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.FormValue;
import palmares.platform.form.SchemaNode.Entry;
import palmares.platform.text.InvalidValue;
import palmares.rules.calendar.Calendar;
import palmares.rules.calendar.EndlessCalendar;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.PeriodUnit;
import palmares.rules.calendar.RecurringCalendar;
import palmares.rules.calendar.SeasonCalendar;
import palmares.rules.calendar.SeasonCalendar.Season;

/** Reads the calendar of a board file. */
final class CalendarReader {
  static final String SEASONS = "seasons";
  static final String NONE = "none";
  static final List<String> WORDS =
      Stream.concat(Stream.of(PeriodUnit.values()).map(PeriodUnit::word), Stream.of(SEASONS, NONE))
          .toList();
  static final String[] CLOSING =
      WORDS.stream().filter(word -> !word.equals(NONE)).toArray(String[]::new);

  private CalendarReader() {}

  /** Reads the calendar; returns null and records the faults if a field is invalid. */
  static @Nullable Calendar read(FormValue file) {
    var period = file.find(BoardForm.PERIOD);
    var zone = file.find(BoardForm.ZONE);
    if (period == null || zone == null) {
      return null;
    }
    return switch (period) {
      case SEASONS -> seasons(file, zone);
      case NONE -> endless(file, zone);
      default -> recurring(file, period, zone);
    };
  }

  private static @Nullable Calendar recurring(FormValue file, String period, ZoneId zone) {
    var unit = Stream.of(PeriodUnit.values()).filter(known -> known.word().equals(period));
    // An invalid week-start is a fault already; with a default the other fields can be checked.
    var weekStart = file.find(BoardForm.WEEK_START);
    return new RecurringCalendar(
        unit.findFirst().orElseThrow(), zone, weekStart == null ? DayOfWeek.MONDAY : weekStart);
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
      var previousEnd = seasons.isEmpty() ? LocalDate.MIN : seasons.get(seasons.size() - 1).to();
      isValid &= isInOrder(form, season, previousEnd);
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

  private static boolean isInOrder(FormValue form, Season season, LocalDate previousEnd) {
    if (season.to().isBefore(season.from())) {
      form.fault(
          BoardForm.SEASON_TO, new BoardFileSentences.SeasonBackwards(season.from(), season.to()));
      return false;
    }
    if (!season.from().isAfter(previousEnd)) {
      form.fault(BoardForm.SEASON_FROM, new BoardFileSentences.SeasonOverlaps(previousEnd));
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
