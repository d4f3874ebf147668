package palmares.rules.catalogue;

import static java.util.Objects.requireNonNull;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Entry;
import palmares.platform.form.FormValue;
import palmares.rules.calendar.Calendar;
import palmares.rules.calendar.EndlessCalendar;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.PeriodUnit;
import palmares.rules.calendar.RecurringCalendar;
import palmares.rules.calendar.Season;
import palmares.rules.calendar.SeasonCalendar;

/** Makes a board's calendar of the fields that say when it runs. */
final class Periods {
  static final String SEASONS = "seasons";
  static final String NONE = "none";
  static final List<String> WORDS =
      Stream.concat(Stream.of(PeriodUnit.values()).map(PeriodUnit::word), Stream.of(SEASONS, NONE))
          .toList();
  static final String[] CLOSING =
      WORDS.stream().filter(word -> !word.equals(NONE)).toArray(String[]::new);

  private Periods() {}

  /** The calendar; null if one of its fields is wrong, which is noted. */
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
    // A wrong week-start is noted already; a calendar all the same lets the rest be checked.
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
      file.spot(BoardForm.UNTIL)
          .fault("must be a later day than starts, %s, not %s".formatted(starts, until));
      return null;
    }
    return new EndlessCalendar(zone, starts, until);
  }

  private static @Nullable Calendar seasons(FormValue file, ZoneId zone) {
    var entries = file.find(BoardForm.SEASONS);
    if (entries == null || !entries.stream().allMatch(Periods::isWhole)) {
      return null;
    }
    var seasons = new ArrayList<Season>();
    var names = new HashSet<PeriodName>();
    boolean right = true;
    for (var entry : entries) {
      var formValue = requireNonNull(entry.value());
      var previous = seasons.isEmpty() ? null : seasons.get(seasons.size() - 1);
      var season = season(formValue);
      right &= fits(formValue, season, previous == null ? LocalDate.MIN : previous.to());
      if (!names.add(season.name())) {
        formValue
            .spot(BoardForm.SEASON_NAME)
            .fault("is the name of a season above: name it otherwise, not " + season.name());
        right = false;
      }
      seasons.add(season);
    }
    return right ? calendar(file, zone, seasons) : null;
  }

  private static boolean isWhole(Entry<Integer, FormValue> entry) {
    return entry.value() != null && entry.value().whole();
  }

  private static Season season(FormValue season) {
    return new Season(
        season.get(BoardForm.SEASON_NAME),
        season.get(BoardForm.SEASON_FROM),
        season.get(BoardForm.SEASON_TO));
  }

  private static boolean fits(FormValue formValue, Season season, LocalDate lastTaken) {
    if (season.to().isBefore(season.from())) {
      formValue
          .spot(BoardForm.SEASON_TO)
          .fault("must not be before from, %s; it is %s".formatted(season.from(), season.to()));
      return false;
    }
    if (!season.from().isAfter(lastTaken)) {
      formValue
          .spot(BoardForm.SEASON_FROM)
          .fault(
              "must be after %s, the last day of the season above: seasons stand in order of time"
                      .formatted(lastTaken)
                  + " and never overlap");
      return false;
    }
    return true;
  }

  private static @Nullable Calendar calendar(FormValue file, ZoneId zone, List<Season> seasons) {
    try {
      return new SeasonCalendar(zone, seasons);
    } catch (IllegalArgumentException e) {
      // Dates that a zone left out: a season of 30 December 2011 in Samoa has no time at all.
      file.spot(BoardForm.SEASONS).fault("make no calendar: " + e.getMessage());
      return null;
    }
  }
}
