package palmares.rules.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;

/**
 * One period, named {@code all}, that is never closed. It has an end all the same, since a score
 * counts the time that is left until one.
 *
 * @param zone where its dates begin
 * @param starts its first day
 * @param until the first day that no longer belongs to it; after {@code starts}
 */
public record EndlessCalendar(ZoneId zone, LocalDate starts, LocalDate until) implements Calendar {
  /** The name of its one period. */
  public static final PeriodName ALL = new PeriodName("all");

  /** The day up to which it counts if nobody says otherwise. */
  public static final LocalDate FAR = LocalDate.of(2100, 1, 1);

  /**
   * @throws IllegalArgumentException if it would end before it starts
   */
  public EndlessCalendar {
    if (!starts.isBefore(until)) {
      throw new IllegalArgumentException(
          "a period from %s cannot last until %s".formatted(starts, until));
    }
  }

  @Override
  public Optional<Slot> at(Instant time) {
    return Optional.of(slot()).filter(slot -> slot.contains(time));
  }

  @Override
  public Optional<Slot> named(PeriodName name) {
    return Optional.of(slot()).filter(slot -> slot.name().equals(name));
  }

  @Override
  public Optional<Slot> startingFrom(Instant time) {
    return Optional.of(slot()).filter(slot -> !slot.startsAt().isBefore(time));
  }

  @Override
  public Duration longest() {
    return slot().length();
  }

  @Override
  public boolean closes() {
    return false;
  }

  @Override
  public String example() {
    return ALL.value();
  }

  @Override
  public String kind() {
    return "none";
  }

  private Slot slot() {
    return new Slot(
        ALL, starts.atStartOfDay(zone).toInstant(), until.atStartOfDay(zone).toInstant());
  }
}
