package palmares.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import palmares.cli.terminal.UserError;

/** A time as people tell it: a day, which stands for its beginning, or a time with its offset. */
final class TimeArgument {
  /** What databases and clocks agree on. */
  private static final LocalDate FIRST = LocalDate.of(1970, 1, 1);

  private static final LocalDate LAST = LocalDate.of(9999, 12, 31);

  private TimeArgument() {}

  /**
   * @param zone where the day begins
   * @return null if nothing was told
   * @throws UserError if it is neither, or out of all bounds
   */
  static @Nullable Instant of(String option, @Nullable String text, ZoneId zone) {
    if (text == null) {
      return null;
    }
    try {
      Instant told =
          text.contains("T")
              ? OffsetDateTime.parse(text).toInstant()
              : LocalDate.parse(text).atStartOfDay(zone).toInstant();
      LocalDate day = LocalDate.ofInstant(told, zone);
      if (!day.isBefore(FIRST) && !day.isAfter(LAST)) {
        return told;
      }
    } catch (DateTimeException e) {
      // Said below.
    }
    throw UserError.badInput(
        "%s takes a day as 2026-11-20, or a time as 2026-11-20T10:00:00Z, not '%s'"
            .formatted(option, text));
  }
}
