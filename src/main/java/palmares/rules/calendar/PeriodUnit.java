package palmares.rules.calendar;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Period;
import java.time.temporal.IsoFields;
import java.time.temporal.WeekFields;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import palmares.platform.form.Choice;

/** The unit of a recurring calendar, which assigns dates to periods and names them. */
public enum PeriodUnit implements Choice {
  DAY(Period.ofDays(1), 1, "2026-11-20", "(\\d{4})-(\\d{2})-(\\d{2})") {
    @Override
    LocalDate firstDay(LocalDate date, WeekFields weeks) {
      return date;
    }

    @Override
    String name(LocalDate firstDay, WeekFields weeks) {
      return digits(
          "%04d-%02d-%02d", firstDay.getYear(), firstDay.getMonthValue(), firstDay.getDayOfMonth());
    }

    @Override
    LocalDate firstDay(int[] parts, WeekFields weeks) {
      return LocalDate.of(parts[0], parts[1], parts[2]);
    }
  },
  WEEK(Period.ofWeeks(1), 7, "2026-W47", "(\\d{4})-W(\\d{2})") {
    @Override
    LocalDate firstDay(LocalDate date, WeekFields weeks) {
      return date.with(weeks.dayOfWeek(), 1);
    }

    @Override
    String name(LocalDate firstDay, WeekFields weeks) {
      int year = firstDay.get(weeks.weekBasedYear());
      return digits("%04d-W%02d", year, firstDay.get(weeks.weekOfWeekBasedYear()));
    }

    @Override
    LocalDate firstDay(int[] parts, WeekFields weeks) {
      // A year's first week holds at least four of its days, so it holds the fourth of January.
      return firstDay(LocalDate.of(parts[0], 1, 4), weeks).plusWeeks(parts[1] - 1L);
    }
  },
  MONTH(Period.ofMonths(1), 31, "2026-11", "(\\d{4})-(\\d{2})") {
    @Override
    LocalDate firstDay(LocalDate date, WeekFields weeks) {
      return date.withDayOfMonth(1);
    }

    @Override
    String name(LocalDate firstDay, WeekFields weeks) {
      return digits("%04d-%02d", firstDay.getYear(), firstDay.getMonthValue());
    }

    @Override
    LocalDate firstDay(int[] parts, WeekFields weeks) {
      return LocalDate.of(parts[0], parts[1], 1);
    }
  },
  QUARTER(Period.ofMonths(3), 92, "2026-Q4", "(\\d{4})-Q(\\d)") {
    @Override
    LocalDate firstDay(LocalDate date, WeekFields weeks) {
      return date.with(IsoFields.DAY_OF_QUARTER, 1);
    }

    @Override
    String name(LocalDate firstDay, WeekFields weeks) {
      return digits("%04d-Q%d", firstDay.getYear(), firstDay.get(IsoFields.QUARTER_OF_YEAR));
    }

    @Override
    LocalDate firstDay(int[] parts, WeekFields weeks) {
      return LocalDate.of(parts[0], 3 * parts[1] - 2, 1);
    }
  },
  YEAR(Period.ofYears(1), 366, "2026", "(\\d{4})") {
    @Override
    LocalDate firstDay(LocalDate date, WeekFields weeks) {
      return date.withDayOfYear(1);
    }

    @Override
    String name(LocalDate firstDay, WeekFields weeks) {
      return digits("%04d", firstDay.getYear());
    }

    @Override
    LocalDate firstDay(int[] parts, WeekFields weeks) {
      return LocalDate.of(parts[0], 1, 1);
    }
  };

  private final Period length;
  private final int maxDays;
  private final String example;
  private final Pattern pattern;

  PeriodUnit(Period length, int maxDays, String example, String pattern) {
    this.length = length;
    this.maxDays = maxDays;
    this.example = example;
    this.pattern = Pattern.compile(pattern);
  }

  /** The first date of the period that contains the date. */
  abstract LocalDate firstDay(LocalDate date, WeekFields weeks);

  /** The first date of the period that is {@code count} periods later, or earlier if negative. */
  LocalDate plus(LocalDate firstDay, int count) {
    return firstDay.plus(length.multipliedBy(count));
  }

  abstract String name(LocalDate firstDay, WeekFields weeks);

  /** The first date by the numbers of a name, which may be out of range, such as month 13. */
  abstract LocalDate firstDay(int[] parts, WeekFields weeks);

  /** The first date of the period with that name; empty if there is none. */
  Optional<LocalDate> parse(String name, WeekFields weeks) {
    var matcher = pattern.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    var parts = new int[matcher.groupCount()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = Integer.parseInt(matcher.group(i + 1));
    }
    try {
      return Optional.of(firstDay(parts, weeks)).filter(day -> name(day, weeks).equals(name));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The maximum number of days of a period. */
  int maxDays() {
    return maxDays;
  }

  String example() {
    return example;
  }

  /** Formats with the digits 0 to 9 in every locale. */
  private static String digits(String format, Object... parts) {
    return String.format(Locale.ROOT, format, parts);
  }
}
