package palmares.rules.calendar;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Period;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalField;
import java.time.temporal.WeekFields;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import palmares.platform.text.Choice;

/** The unit of a recurring calendar, which assigns dates to periods and names them. */
public enum PeriodUnit implements Choice {
  DAY(
      Period.ofDays(1),
      1,
      "2026-11-20",
      (date, weeks) -> date,
      weeks -> year(ChronoField.YEAR).appendPattern("-MM-dd")),
  WEEK(
      Period.ofWeeks(1),
      7,
      "2026-W47",
      (date, weeks) -> date.with(weeks.dayOfWeek(), 1),
      weeks ->
          year(weeks.weekBasedYear())
              .appendLiteral("-W")
              .appendValue(weeks.weekOfWeekBasedYear(), 2)
              .parseDefaulting(weeks.dayOfWeek(), 1)),
  MONTH(
      Period.ofMonths(1),
      31,
      "2026-11",
      (date, weeks) -> date.withDayOfMonth(1),
      weeks ->
          year(ChronoField.YEAR).appendPattern("-MM").parseDefaulting(ChronoField.DAY_OF_MONTH, 1)),
  QUARTER(
      Period.ofMonths(3),
      92,
      "2026-Q4",
      (date, weeks) -> date.with(IsoFields.DAY_OF_QUARTER, 1),
      weeks ->
          year(ChronoField.YEAR)
              .appendPattern("-'Q'q")
              .parseDefaulting(IsoFields.DAY_OF_QUARTER, 1)),
  YEAR(
      Period.ofYears(1),
      366,
      "2026",
      (date, weeks) -> date.withDayOfYear(1),
      weeks -> year(ChronoField.YEAR).parseDefaulting(ChronoField.DAY_OF_YEAR, 1));

  private final Period length;
  private final int maxDays;
  private final String example;
  private final BiFunction<LocalDate, WeekFields, LocalDate> firstDay;
  private final Function<WeekFields, DateTimeFormatterBuilder> format;
  private final Map<WeekFields, DateTimeFormatter> formats = new ConcurrentHashMap<>();

  /**
   * @param firstDay the first date of the period that contains a date
   * @param format of names, from which the first date can be read
   */
  PeriodUnit(
      Period length,
      int maxDays,
      String example,
      BiFunction<LocalDate, WeekFields, LocalDate> firstDay,
      Function<WeekFields, DateTimeFormatterBuilder> format) {
    this.length = length;
    this.maxDays = maxDays;
    this.example = example;
    this.firstDay = firstDay;
    this.format = format;
  }

  private static DateTimeFormatterBuilder year(TemporalField field) {
    return new DateTimeFormatterBuilder().appendValue(field, 4, 10, SignStyle.NEVER);
  }

  /** The first date of the period that contains the date. */
  LocalDate firstDay(LocalDate date, WeekFields weeks) {
    return firstDay.apply(date, weeks);
  }

  /** The first date of the period that is {@code count} periods later, or earlier if negative. */
  LocalDate plus(LocalDate firstDay, int count) {
    return firstDay.plus(length.multipliedBy(count));
  }

  String name(LocalDate firstDay, WeekFields weeks) {
    return format(weeks).format(firstDay);
  }

  /** Formats with the digits 0 to 9 in every locale. */
  private DateTimeFormatter format(WeekFields weeks) {
    return formats.computeIfAbsent(weeks, key -> format.apply(key).toFormatter(Locale.ROOT));
  }

  /** The first date of the period with that name; empty if there is none. */
  Optional<LocalDate> parse(String name, WeekFields weeks) {
    try {
      return Optional.of(LocalDate.parse(name, format(weeks)))
          .filter(day -> name(day, weeks).equals(name));
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
}
