package palmares.settlement.nightly;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When and how far back it is verified by itself.
 *
 * @param at the time of day in UTC, as {@code 03:30}
 * @param days how many days back; at least 1
 */
@ConfigurationProperties("palmares.verify")
record NightlySettings(@DefaultValue("03:30") String at, @DefaultValue("7") int days) {
  NightlySettings {
    if (days < 1) {
      throw new IllegalArgumentException(
          "palmares.verify.days is %d, and must be 1 or more".formatted(days));
    }
    try {
      LocalTime.parse(at);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "palmares.verify.at is '%s', and must be a time of day in UTC as 03:30".formatted(at), e);
    }
  }

  /** The night whose time has come last, whoever was there to see it. */
  LocalDate night(Instant now) {
    OffsetDateTime here = now.atOffset(ZoneOffset.UTC);
    boolean come = !here.toLocalTime().isBefore(LocalTime.parse(at));
    return come ? here.toLocalDate() : here.toLocalDate().minusDays(1);
  }

  Instant since(Instant now) {
    return now.minus(Duration.ofDays(days));
  }
}
