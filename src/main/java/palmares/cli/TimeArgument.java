package palmares.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import palmares.cli.terminal.UserError;

/** Parses a day, which means its beginning, or a time with its offset. */
final class TimeArgument {
  /** The range that both PostgreSQL and Java's clocks hold. */
  private static final LocalDate FIRST_DAY = LocalDate.of(1970, 1, 1);

  private static final LocalDate LAST_DAY = LocalDate.of(9999, 12, 31);

  private TimeArgument() {}

  /**
   * @param zone the zone in which a day begins
   * @return null if the text is null
   * @throws UserError if it is neither a day nor a time, or out of range
   */
  static @Nullable Instant of(String option, @Nullable String text, ZoneId zone) {
    if (text == null) {
      return null;
    }
    try {
      Instant time =
          text.contains("T")
              ? OffsetDateTime.parse(text).toInstant()
              : LocalDate.parse(text).atStartOfDay(zone).toInstant();
      LocalDate day = LocalDate.ofInstant(time, zone);
      if (!day.isBefore(FIRST_DAY) && !day.isAfter(LAST_DAY)) {
        return time;
      }
    } catch (DateTimeException e) {
      // Reported below.
    }
    throw UserError.badUsage(
        "%s takes a day such as 2026-11-20, or a time such as 2026-11-20T10:00:00Z, not '%s'",
        option, text);
  }
}
