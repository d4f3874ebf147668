package palmares.settlement.digest;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configures the daily digest.
 *
 * @param at the local time of day, as {@code 08:00}
 * @param zone the time zone, as {@code Europe/Berlin}
 */
@ConfigurationProperties("palmares.digest")
record DigestSettings(@DefaultValue("08:00") String at, @DefaultValue("UTC") String zone) {

  DigestSettings {
    try {
      LocalTime.parse(at);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "palmares.digest.at is '%s', and must be a time of day such as 08:00".formatted(at));
    }
    try {
      ZoneId.of(zone);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "palmares.digest.zone is '%s', and must be a time zone such as Europe/Berlin"
              .formatted(zone));
    }
  }

  /** The last day whose time has come; a time that a change of clocks skips comes right after. */
  LocalDate day(Instant now) {
    LocalDate today = now.atZone(ZoneId.of(zone)).toLocalDate();
    ZonedDateTime due = today.atTime(LocalTime.parse(at)).atZone(ZoneId.of(zone));
    return now.isBefore(due.toInstant()) ? today.minusDays(1) : today;
  }
}
