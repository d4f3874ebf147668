package palmares.rules.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A calendar of the hours of a zone's clocks, without gaps, from 1970 to 9999. An hour that occurs
 * twice, as clocks are set back, is two periods, and the second has a {@code b} after its name.
 * Clocks that are set back by a part of an hour make one longer hour.
 *
 * @param zone of the clocks
 */
public record HourCalendar(ZoneId zone) implements Calendar {
  /** The word of this calendar. */
  public static final String KIND = "hour";

  private static final String EXAMPLE = "2026-11-20T14";
  private static final String REPEATED = "b";
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH", Locale.ROOT);
  private static final Duration HOUR = Duration.ofHours(1);

  @Override
  public Optional<Slot> at(Instant time) {
    if (time.isBefore(Instant.EPOCH) || !time.isBefore(RecurringCalendar.TO)) {
      return Optional.empty();
    }
    Instant start = start(time);
    return Optional.of(new Slot(name(start), start, end(time)));
  }

  /** The last time at which an hour began: on the hour, or as the clocks changed the hour. */
  private Instant start(Instant time) {
    LocalDateTime hour = hour(LocalDateTime.ofInstant(time, zone));
    Instant start = hour.toInstant(zone.getRules().getOffset(time));
    ZoneOffsetTransition change = zone.getRules().previousTransition(time.plusNanos(1));
    if (change == null || !change.getInstant().isAfter(start)) {
      return start;
    }
    return begins(change) ? change.getInstant() : start(change.getInstant().minusNanos(1));
  }

  private Instant end(Instant time) {
    LocalDateTime next = hour(LocalDateTime.ofInstant(time, zone)).plusHours(1);
    Instant end = next.toInstant(zone.getRules().getOffset(time));
    ZoneOffsetTransition change = zone.getRules().nextTransition(time);
    if (change == null || change.getInstant().isAfter(end)) {
      return end;
    }
    return begins(change) ? change.getInstant() : end(change.getInstant());
  }

  /** Whether an hour begins as the clocks change. */
  private static boolean begins(ZoneOffsetTransition change) {
    LocalDateTime after = change.getDateTimeAfter();
    return after.equals(hour(after))
        || !hour(after).equals(hour(change.getDateTimeBefore().minusNanos(1)));
  }

  private static LocalDateTime hour(LocalDateTime time) {
    return time.truncatedTo(ChronoUnit.HOURS);
  }

  private PeriodName name(Instant start) {
    LocalDateTime hour = hour(LocalDateTime.ofInstant(start, zone));
    ZoneOffsetTransition change = zone.getRules().previousTransition(start.plusNanos(1));
    boolean repeats =
        change != null
            && change.isOverlap()
            && !hour.isBefore(hour(change.getDateTimeAfter()))
            && hour.isBefore(change.getDateTimeBefore());
    return new PeriodName(NAME.format(hour) + (repeats ? REPEATED : ""));
  }

  @Override
  public Optional<Slot> named(PeriodName name) {
    String text = name.value();
    LocalDateTime hour;
    try {
      hour =
          LocalDateTime.parse(
              text.endsWith(REPEATED) ? text.substring(0, text.length() - 1) : text, NAME);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
    return Stream.of(hour, hour.plusMinutes(59))
        .flatMap(this::instants)
        .flatMap(time -> at(time).stream())
        .filter(slot -> slot.name().equals(name))
        .findFirst();
  }

  /** The times at which the clocks show this, or skip it. */
  private Stream<Instant> instants(LocalDateTime local) {
    @Nullable ZoneOffsetTransition change = zone.getRules().getTransition(local);
    return change != null && change.isGap()
        ? Stream.of(change.getInstant())
        : zone.getRules().getValidOffsets(local).stream().map(local::toInstant);
  }

  @Override
  public Optional<Slot> startingFrom(Instant time) {
    Instant from = time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time;
    return at(from)
        .flatMap(slot -> slot.startsAt().equals(from) ? Optional.of(slot) : at(slot.endsAt()));
  }

  @Override
  public Duration longest() {
    return HOUR.plus(RecurringCalendar.longestSetBack(zone));
  }

  @Override
  public String example() {
    return EXAMPLE;
  }

  @Override
  public String kind() {
    return KIND;
  }
}
