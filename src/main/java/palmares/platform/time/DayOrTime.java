package palmares.platform.time;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Optional;

/** Parses a day, which means its beginning, or a time with its offset. */
public final class DayOrTime {
  /** The range that both PostgreSQL and Java's clocks hold. */
  private static final LocalDate FIRST_DAY = LocalDate.of(1970, 1, 1);

  private static final LocalDate LAST_DAY = LocalDate.of(9999, 12, 31);

  private DayOrTime() {}

  /**
   * Parses a text; returns empty if it is neither a day nor a time, or out of range.
   *
   * @param days says when a day begins
   */
  public static Optional<Instant> parse(String text, Days days) {
    try {
      Instant time =
          text.contains("T")
              ? OffsetDateTime.parse(text).toInstant()
              : days.start(LocalDate.parse(text));
      LocalDate day = LocalDate.ofInstant(time, days.zone());
      return day.isBefore(FIRST_DAY) || day.isAfter(LAST_DAY)
          ? Optional.empty()
          : Optional.of(time);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** As {@link #parse(String, Days)}; a day begins at midnight in the zone. */
  public static Optional<Instant> parse(String text, ZoneId zone) {
    return parse(text, Days.of(zone));
  }
}
