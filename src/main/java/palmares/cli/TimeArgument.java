package palmares.cli;

import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import palmares.cli.terminal.UserError;
import palmares.platform.time.DayOrTime;

/** Parses a day, which means its beginning, or a time with its offset. */
final class TimeArgument {
  private TimeArgument() {}

  /**
   * @param zone the zone in which a day begins
   * @return null if the text is null
   * @throws UserError if it is neither a day nor a time, or out of range
   */
  static @Nullable Instant of(String option, @Nullable String text, ZoneId zone) {
    return text == null
        ? null
        : DayOrTime.parse(text, zone)
            .orElseThrow(
                () -> UserError.badUsage("%s %s".formatted(option, DayOrTime.expected(text))));
  }
}
