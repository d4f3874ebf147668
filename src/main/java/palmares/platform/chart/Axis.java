package palmares.platform.chart;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** An axis of a chart. Its range and its ticks are round numbers around the values. */
public final class Axis {
  enum Kind {
    NUMBERS,
    POWERS_OF_TEN,
    TIMES,
    LABELS
  }

  private final Kind kind;
  private final String unit;
  private final ZoneId zone;
  private final List<String> labels;
  private final double from;
  private final double to;
  private final boolean reversed;
  private final @Nullable DoubleFunction<String> format;

  private Axis(
      Kind kind,
      String unit,
      ZoneId zone,
      List<String> labels,
      double from,
      double to,
      boolean reversed,
      @Nullable DoubleFunction<String> format) {
    this.kind = kind;
    this.unit = unit;
    this.zone = zone;
    this.labels = labels;
    this.from = from;
    this.to = to;
    this.reversed = reversed;
    this.format = format;
  }

  private static Axis of(Kind kind, String unit, ZoneId zone, List<String> labels) {
    return new Axis(kind, unit, zone, labels, Double.NaN, Double.NaN, false, null);
  }

  /** An axis of numbers that includes 0. */
  public static Axis numbers(String unit) {
    return of(Kind.NUMBERS, unit, ZoneOffset.UTC, List.of());
  }

  /** A logarithmic axis between powers of ten; its values must be above 0. */
  public static Axis logarithmic(String unit) {
    return of(Kind.POWERS_OF_TEN, unit, ZoneOffset.UTC, List.of());
  }

  /** An axis of times, with ticks at whole minutes, hours, days, months or years of the zone. */
  public static Axis times(ZoneId zone) {
    return of(Kind.TIMES, zone.getId(), zone, List.of());
  }

  /** An axis with one place for each label, such as the name of a period. */
  public static Axis labels(List<String> labels) {
    return of(Kind.LABELS, "", ZoneOffset.UTC, List.copyOf(labels));
  }

  /**
   * This axis with fixed ends.
   *
   * @param from {@link Double#NaN} for an end by the values, as with {@code to}
   */
  public Axis between(double from, double to) {
    return new Axis(kind, unit, zone, labels, from, to, reversed, format);
  }

  /** This axis of times with fixed ends. */
  public Axis between(Instant from, Instant to) {
    return between(from.toEpochMilli(), to.toEpochMilli());
  }

  /** This axis with its least value on top, as ranks are read. */
  public Axis reversed() {
    return new Axis(kind, unit, zone, labels, from, to, true, format);
  }

  /** This axis with other texts for its values than numbers of the chart's locale. */
  public Axis format(DoubleFunction<String> format) {
    return new Axis(kind, unit, zone, labels, from, to, reversed, format);
  }

  String unit() {
    return unit;
  }

  boolean hasLabels() {
    return kind == Kind.LABELS;
  }

  /**
   * The scale for these values.
   *
   * @param most the largest number of ticks, except for labels, which are all ticks
   */
  AxisScale scale(double[] values, int most, Locale locale) {
    double least = Double.isNaN(from) ? DoubleStream.of(values).min().orElse(0) : from;
    double greatest = Double.isNaN(to) ? DoubleStream.of(values).max().orElse(1) : to;
    return switch (kind) {
      case LABELS -> Ticks.labels(labels);
      case TIMES -> Ticks.times(least, greatest, zone, most, locale);
      case POWERS_OF_TEN -> formatted(Ticks.powersOfTen(least, greatest, most, locale));
      case NUMBERS -> {
        boolean whole = DoubleStream.of(values).allMatch(value -> value == Math.rint(value));
        AxisScale scale =
            Ticks.numbers(
                Double.isNaN(from) ? Math.min(0, least) : from,
                Double.isNaN(to) ? Math.max(0, greatest) : to,
                !Double.isNaN(from),
                !Double.isNaN(to),
                whole ? 1 : 0,
                most,
                locale);
        yield formatted(reversed ? scale.upsideDown() : scale);
      }
    };
  }

  private AxisScale formatted(AxisScale scale) {
    return format == null ? scale : scale.formatted(format);
  }
}
