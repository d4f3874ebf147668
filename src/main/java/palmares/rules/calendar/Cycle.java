package palmares.rules.calendar;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.time.temporal.WeekFields;
import java.util.Optional;
import java.util.function.BiFunction;
import palmares.platform.text.Choice;

/** Assigns dates to the periods of a recurring calendar, and names the periods. */
public sealed interface Cycle {
  /** The first date of the period that contains the date. */
  LocalDate firstDay(LocalDate date);

  /** The first date of the period that is {@code count} periods later, or earlier if negative. */
  LocalDate plus(LocalDate firstDay, int count);

  /** The first date of the first period. */
  default LocalDate from() {
    return LocalDate.MIN;
  }

  String name(LocalDate firstDay);

  /** The first date of the period with that name; empty if there is none. */
  Optional<LocalDate> parse(String name);

  /** The maximum number of days of a period. */
  int maxDays();

  String example();

  /** The calendar's kind in board files. */
  String kind();

  /**
   * Days, weeks, months, quarters or years.
   *
   * @param weekStart the first day of a week; a year's first week has at least four of its days, so
   *     Monday gives ISO weeks
   */
  record Regular(PeriodUnit unit, DayOfWeek weekStart) implements Cycle {
    @Override
    public LocalDate firstDay(LocalDate date) {
      return unit.firstDay(date, weeks());
    }

    @Override
    public LocalDate plus(LocalDate firstDay, int count) {
      return unit.plus(firstDay, count);
    }

    @Override
    public String name(LocalDate firstDay) {
      return unit.name(firstDay, weeks());
    }

    @Override
    public Optional<LocalDate> parse(String name) {
      return unit.parse(name, weeks());
    }

    @Override
    public int maxDays() {
      return unit.maxDays();
    }

    @Override
    public String example() {
      return unit.example();
    }

    @Override
    public String kind() {
      return unit.word();
    }

    private WeekFields weeks() {
      return WeekFields.of(weekStart, 4);
    }
  }

  /**
   * Several days, weeks or months at a time. A period is named by its first date.
   *
   * @param count how many; at least 1
   * @param from the first date of the first period; of months, one that every month has
   */
  record Every(int count, Unit unit, LocalDate from) implements Cycle {
    /** The word of such a calendar. */
    public static final String KIND = "every";

    /** What periods are counted in. */
    public enum Unit implements Choice {
      DAYS(1, LocalDate::plusDays),
      WEEKS(7, LocalDate::plusWeeks),
      MONTHS(31, LocalDate::plusMonths);

      private final int maxDays;
      private final BiFunction<LocalDate, Long, LocalDate> plus;

      Unit(int maxDays, BiFunction<LocalDate, Long, LocalDate> plus) {
        this.maxDays = maxDays;
        this.plus = plus;
      }

      private long between(LocalDate from, LocalDate to) {
        return this == MONTHS
            ? ChronoUnit.MONTHS.between(YearMonth.from(from), YearMonth.from(to))
                - (to.getDayOfMonth() < from.getDayOfMonth() ? 1 : 0)
            : Math.floorDiv(to.toEpochDay() - from.toEpochDay(), maxDays);
      }
    }

    public static final int LAST_DAY_OF_EVERY_MONTH = 28;

    /**
     * @throws IllegalArgumentException if months begin on a day that not every month has
     */
    public Every {
      if (count < 1 || unit == Unit.MONTHS && from.getDayOfMonth() > LAST_DAY_OF_EVERY_MONTH) {
        throw new IllegalArgumentException("every %d %s from %s".formatted(count, unit, from));
      }
    }

    @Override
    public LocalDate firstDay(LocalDate date) {
      return unit.plus.apply(from, Math.floorDiv(unit.between(from, date), count) * (long) count);
    }

    @Override
    public LocalDate plus(LocalDate firstDay, int count) {
      return unit.plus.apply(firstDay, (long) count * this.count);
    }

    @Override
    public String name(LocalDate firstDay) {
      return firstDay.toString();
    }

    @Override
    public Optional<LocalDate> parse(String name) {
      return PeriodUnit.DAY
          .parse(name, WeekFields.ISO)
          .filter(date -> !date.isBefore(from) && firstDay(date).equals(date));
    }

    @Override
    public int maxDays() {
      return unit.maxDays * count;
    }

    @Override
    public String example() {
      return from.toString();
    }

    @Override
    public String kind() {
      return KIND;
    }
  }
}
