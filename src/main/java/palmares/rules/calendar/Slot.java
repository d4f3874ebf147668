package palmares.rules.calendar;

import java.time.Duration;
import java.time.Instant;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Sentence;

/**
 * The name and the boundaries of a period.
 *
 * @param name unique within its calendar
 * @param startsAt inclusive
 * @param endsAt exclusive; after {@code startsAt}
 */
public record Slot(PeriodName name, Instant startsAt, Instant endsAt) {
  /** What is wrong with a calendar. */
  interface CalendarSentences {
    record Empty(String period, String startsAt, String endsAt) implements Sentence {}
  }

  /**
   * @throws InvalidValue if it does not end after its start
   */
  public Slot {
    if (!startsAt.isBefore(endsAt)) {
      throw new InvalidValue(
          new CalendarSentences.Empty(name.value(), startsAt.toString(), endsAt.toString()));
    }
  }

  public boolean contains(Instant time) {
    return !time.isBefore(startsAt) && time.isBefore(endsAt);
  }

  public Duration length() {
    return Duration.between(startsAt, endsAt);
  }
}
