package palmares.platform.chart;

import java.text.NumberFormat;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import palmares.platform.chart.AxisScale.Tick;

/** Finds the round values at which an axis has ticks. */
final class Ticks {
  private static final double[] ROUND_STEPS = {1, 2, 5, 10};
  private static final int MAX_FRACTION_DIGITS = 9;

  /** 1970-01-01 was a Thursday, three days after a Monday. */
  private static final int DAYS_FROM_MONDAY = 3;

  private static final String DAY = "d MMM";
  private static final String MONTH = "MMM yyyy";

  /** Chinese dates name the month before the day, and the year before the month. */
  private static final Map<String, String> CHINESE = Map.of(DAY, "M月d日", MONTH, "yyyy年M月");

  private static final List<TimeStep> TIME_STEPS =
      Stream.of(
              steps(ChronoUnit.SECONDS, "HH:mm:ss", 1, 5, 15, 30),
              steps(ChronoUnit.MINUTES, "HH:mm", 1, 5, 15, 30),
              steps(ChronoUnit.HOURS, "HH:mm", 1, 3, 6, 12),
              steps(ChronoUnit.DAYS, DAY, 1, 2),
              steps(ChronoUnit.WEEKS, DAY, 1, 2),
              steps(ChronoUnit.MONTHS, MONTH, 1, 3, 6),
              steps(ChronoUnit.YEARS, "yyyy", 1, 2, 5, 10, 20, 50, 100))
          .flatMap(step -> step)
          .toList();

  private Ticks() {}

  /**
   * A linear scale.
   *
   * @param fixedFrom whether the axis begins exactly at {@code from} and not at a round number
   * @param leastStep the least distance of two ticks
   */
  static AxisScale numbers(
      double from,
      double to,
      boolean fixedFrom,
      boolean fixedTo,
      double leastStep,
      int most,
      Locale locale) {
    double end = to > from ? to : from + 1;
    double step = Math.max(leastStep, roundStep((end - from) / most));
    double low = fixedFrom ? from : Math.floor(from / step) * step;
    double high = fixedTo ? end : Math.ceil(end / step) * step;
    NumberFormat format = format(step, locale);
    var ticks = new ArrayList<Tick>();
    if (fixedFrom && low != Math.rint(low / step) * step) {
      ticks.add(new Tick(low, format.format(low)));
    }
    for (long k = (long) Math.ceil(low / step); k * step <= high + step / 1e6; k++) {
      if (ticks.isEmpty() || k * step - low >= step / 2) {
        ticks.add(new Tick(k * step, format.format(k * step)));
      }
    }
    return new AxisScale(low, high, false, ticks, text(locale));
  }

  private static double roundStep(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    for (double round : ROUND_STEPS) {
      if (round * power >= least * (1 - 1e-9)) {
        return round * power;
      }
    }
    throw new IllegalStateException("no round step from " + least);
  }

  private static NumberFormat format(double step, Locale locale) {
    NumberFormat format = NumberFormat.getNumberInstance(locale);
    int digits = (int) Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    format.setMinimumFractionDigits(digits);
    format.setMaximumFractionDigits(digits);
    return format;
  }

  private static DoubleFunction<String> text(Locale locale) {
    NumberFormat format = NumberFormat.getNumberInstance(locale);
    return format::format;
  }

  /**
   * A logarithmic scale between powers of ten.
   *
   * @throws IllegalArgumentException if a value is not above 0
   */
  static AxisScale powersOfTen(double least, double greatest, int most, Locale locale) {
    if (least <= 0) {
      throw new IllegalArgumentException("a logarithmic axis has no place for " + least);
    }
    int from = (int) Math.floor(Math.log10(least));
    int to = Math.max(from + 1, (int) Math.ceil(Math.log10(greatest)));
    int step = (to - from) / most + 1;
    NumberFormat format = NumberFormat.getNumberInstance(locale);
    format.setMaximumFractionDigits(MAX_FRACTION_DIGITS);
    List<Tick> ticks =
        IntStream.rangeClosed(from, to)
            .filter(power -> (power - from) % step == 0)
            .mapToDouble(power -> Math.pow(10, power))
            .mapToObj(value -> new Tick(value, format.format(value)))
            .toList();
    return new AxisScale(Math.pow(10, from), Math.pow(10, to), true, ticks, text(locale));
  }

  /**
   * One place for each label, from half a place before the first to half a place after the last.
   */
  static AxisScale labels(List<String> labels) {
    List<Tick> ticks =
        IntStream.range(0, labels.size()).mapToObj(i -> new Tick(i, labels.get(i))).toList();
    return new AxisScale(
        -0.5,
        Math.max(1, labels.size()) - 0.5,
        false,
        ticks,
        value -> labels.get((int) Math.round(value)));
  }

  /**
   * A step of a time axis.
   *
   * @param pattern of the labels
   */
  private record TimeStep(ChronoUnit unit, int count, String pattern) {
    double millis() {
      return unit.getDuration().toMillis() * (double) count;
    }

    /** The latest tick that is not after the time. */
    LocalDateTime floor(LocalDateTime time) {
      LocalDateTime day = time.truncatedTo(ChronoUnit.DAYS);
      return switch (unit) {
        case DAYS -> day.minusDays(Math.floorMod(day.toLocalDate().toEpochDay(), count));
        case WEEKS ->
            day.minusDays(
                Math.floorMod(day.toLocalDate().toEpochDay() + DAYS_FROM_MONDAY, 7L * count));
        case MONTHS, YEARS -> {
          long months = unit == ChronoUnit.YEARS ? 12L * count : count;
          yield day.withDayOfMonth(1)
              .minusMonths(Math.floorMod(day.getLong(ChronoField.PROLEPTIC_MONTH), months));
        }
        default -> {
          long seconds = unit.getDuration().toSeconds() * count;
          yield day.plusSeconds(time.toLocalTime().toSecondOfDay() / seconds * seconds);
        }
      };
    }

    String label(LocalDateTime tick, Locale locale) {
      boolean midnight = unit.isTimeBased() && tick.toLocalTime().equals(LocalTime.MIDNIGHT);
      String english = midnight ? DAY : pattern;
      boolean isChinese = locale.getLanguage().equals(Locale.CHINESE.getLanguage());
      String shown = isChinese ? CHINESE.getOrDefault(english, english) : english;
      return DateTimeFormatter.ofPattern(shown, locale).format(tick);
    }
  }

  private static Stream<TimeStep> steps(ChronoUnit unit, String pattern, int... counts) {
    return IntStream.of(counts).mapToObj(count -> new TimeStep(unit, count, pattern));
  }

  /**
   * A scale of times, with ticks where the zone's clocks show round times.
   *
   * @param from in milliseconds since 1970, like {@code to}
   */
  static AxisScale times(double from, double to, ZoneId zone, int most, Locale locale) {
    double end = Math.max(to, from + ChronoUnit.SECONDS.getDuration().toMillis());
    TimeStep step =
        TIME_STEPS.stream()
            .filter(one -> one.millis() * most >= end - from)
            .findFirst()
            .orElse(TIME_STEPS.get(TIME_STEPS.size() - 1));
    var ticks = new ArrayList<Tick>();
    double last = Double.NEGATIVE_INFINITY;
    LocalDateTime tick = step.floor(local(from, zone));
    for (double at = millis(tick, zone); at <= end; at = millis(tick, zone)) {
      if (at >= from && at > last) {
        ticks.add(new Tick(at, step.label(local(at, zone), locale)));
        last = at;
      }
      tick = tick.plus(step.count(), step.unit());
    }
    DateTimeFormatter text = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", locale);
    return new AxisScale(from, end, false, ticks, value -> text.format(local(value, zone)));
  }

  private static LocalDateTime local(double millis, ZoneId zone) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli((long) millis), zone);
  }

  private static double millis(LocalDateTime time, ZoneId zone) {
    return time.atZone(zone).toInstant().toEpochMilli();
  }
}
