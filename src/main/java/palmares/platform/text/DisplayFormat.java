package palmares.platform.text;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;

/** Formats times and numbers for people, independent of the locale of the machine. */
public final class DisplayFormat {
  private static final double KILOBYTE = 1e3;
  private static final double MEGABYTE = 1e6;
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ssxxx", Locale.ROOT);

  private static final DateTimeFormatter EXACT =
      new DateTimeFormatterBuilder()
          .appendPattern("yyyy-MM-dd HH:mm:ss")
          .appendFraction(ChronoField.MICRO_OF_SECOND, 0, 6, true)
          .appendPattern("xxx")
          .toFormatter(Locale.ROOT);

  private DisplayFormat() {}

  public static String time(Instant time, ZoneId zone) {
    return LOCAL.withZone(zone).format(time);
  }

  /** As {@link #time}, with the fraction of the second, to the microsecond. */
  public static String exactTime(Instant time, ZoneId zone) {
    return EXACT.withZone(zone).format(time);
  }

  public static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A number with all of its decimals. */
  public static String number(BigDecimal number) {
    return String.format(Locale.ROOT, "%,." + Math.max(0, number.scale()) + "f", number);
  }

  /** A number of things, such as {@code 1 member} or {@code 1,200 members}. */
  public static String count(long number, String one, String many) {
    return number(number) + " " + (number == 1 ? one : many);
  }

  /** Bytes as kilobytes or megabytes. */
  public static String size(long bytes) {
    return bytes < MEGABYTE
        ? String.format(Locale.ROOT, "%.1f KB", bytes / KILOBYTE)
        : String.format(Locale.ROOT, "%,.1f MB", bytes / MEGABYTE);
  }

  /** Seconds with two decimals; from a minute on, minutes and seconds; from an hour on, hours. */
  public static String duration(Duration duration) {
    if (duration.toHours() > 0) {
      return "%d h %02d min".formatted(duration.toHours(), duration.toMinutesPart());
    }
    return duration.toMinutes() > 0
        ? "%d:%02d min".formatted(duration.toMinutes(), duration.toSecondsPart())
        : String.format(Locale.ROOT, "%.2f s", duration.toMillis() / 1e3);
  }

  /** The time since a moment of {@link System#nanoTime}. */
  public static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }
}
