package palmares.rules.boardfiles;

import java.time.Duration;
import java.time.Period;
import java.util.Locale;
import java.util.regex.Pattern;
import palmares.platform.form.Scalar;

/** Reads and formats durations as board files write them. */
final class DurationText {
  private static final Duration MAX_GRACE = Duration.ofDays(7);
  private static final Duration MAX_TIME = Duration.ofDays(366);
  private static final Pattern DAYS = Pattern.compile("(\\d+)d");
  private static final long MAX_RETENTION_DAYS = 3660;

  private DurationText() {}

  static Scalar<Duration> grace() {
    return Scalar.text(
        new BoardFieldSentences.Grace(),
        "(\\d{1,3}h)?(\\d{1,5}m)?(\\d{1,6}s)?|PT(\\d{1,3}H)?(\\d{1,5}M)?(\\d{1,6}S)?",
        text -> {
          var grace = Duration.parse(text.startsWith("PT") ? text : "PT" + text);
          return grace.compareTo(MAX_GRACE) <= 0 ? grace : null;
        });
  }

  /** Such as {@code 7d} or {@code 1d12h}; more than nothing. */
  static Scalar<Duration> days() {
    return Scalar.text(
        new BoardFieldSentences.Days(),
        "(\\d{1,3}d)?(\\d{1,3}h)?(\\d{1,5}m)?(\\d{1,6}s)?",
        text -> {
          var days = DAYS.matcher(text);
          var rest = text.substring(text.indexOf('d') + 1);
          var time =
              Duration.ofDays(days.lookingAt() ? Long.parseLong(days.group(1)) : 0)
                  .plus(rest.isEmpty() ? Duration.ZERO : Duration.parse("PT" + rest));
          return !time.isZero() && time.compareTo(MAX_TIME) <= 0 ? time : null;
        });
  }

  /** A period with its unit in full, because the m of {@code 12m} means minutes in a grace. */
  static Scalar<Period> retention() {
    return Scalar.text(
        new BoardFieldSentences.Retention(),
        "[1-9]\\d{0,3} (day|week|month|year)s?|P[1-9]\\d{0,3}[DWMY]",
        text -> {
          var parts = text.split(" ");
          var iso =
              parts.length == 2
                  ? "P" + parts[0] + parts[1].substring(0, 1).toUpperCase(Locale.ROOT)
                  : text;
          var period = Period.parse(iso);
          long days = period.getDays() + 30 * period.toTotalMonths();
          return days <= MAX_RETENTION_DAYS ? period : null;
        });
  }

  /** Such as {@code 1h30m}. */
  static String format(Duration duration) {
    return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }
}
