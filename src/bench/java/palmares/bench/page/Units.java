package palmares.bench.page;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/** Formats numbers for people: three digits and a unit. */
final class Units {
  private static final String NO_VALUE = "–";
  private static final String[] BYTES = {"B", "kB", "MB", "GB", "TB", "PB"};
  private static final double SECONDS_PER_MINUTE = 60;
  private static final double SECONDS_PER_HOUR = 3_600;

  private Units() {}

  static String count(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  static String number(double value) {
    double size = Math.abs(value);
    if (size >= 100) {
      return count(value);
    }
    return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f", value);
  }

  static String seconds(double value) {
    if (value >= 2 * SECONDS_PER_HOUR) {
      return number(value / SECONDS_PER_HOUR) + " h";
    }
    if (value >= 2 * SECONDS_PER_MINUTE) {
      return number(value / SECONDS_PER_MINUTE) + " min";
    }
    return value >= 1 ? number(value) + " s" : number(value * 1e3) + " ms";
  }

  static String percent(double part) {
    return number(100 * part) + " %";
  }

  static String bytes(double value) {
    int unit = 0;
    double left = value;
    while (left >= 1e3 && unit < BYTES.length - 1) {
      left /= 1e3;
      unit++;
    }
    return number(left) + " " + BYTES[unit];
  }

  static String megabytes(double value) {
    return bytes(value * (1 << 20));
  }

  /** Formats a value; a missing value becomes a dash. */
  static String maybe(OptionalDouble value, DoubleFunction<String> words) {
    return value.isPresent() ? words.apply(value.getAsDouble()) : NO_VALUE;
  }
}
