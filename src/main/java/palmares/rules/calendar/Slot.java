package palmares.rules.calendar;

import java.time.Duration;
import java.time.Instant;

/**
 * One period of a calendar: its name and the half-open time {@code [startsAt, endsAt)}.
 *
 * @param name unique within its calendar
 * @param startsAt the first instant that belongs to it
 * @param endsAt the first instant that no longer does; after {@code startsAt}
 */
public record Slot(PeriodName name, Instant startsAt, Instant endsAt) {

  /**
   * @throws IllegalArgumentException if it would be empty or end before it starts
   */
  public Slot {
    if (!startsAt.isBefore(endsAt)) {
      throw new IllegalArgumentException(
          "period %s ends at %s, not after its start %s".formatted(name, endsAt, startsAt));
    }
  }

  public boolean contains(Instant time) {
    return !time.isBefore(startsAt) && time.isBefore(endsAt);
  }

  public Duration length() {
    return Duration.between(startsAt, endsAt);
  }
}
