package palmares.rules.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.stream.Stream;
import palmares.platform.time.Days;

/** Defines a board's periods, in order and without overlaps. */
public sealed interface Calendar permits RecurringCalendar, HourCalendar, Calendar.Listed {
  /** The period that contains the time; empty between seasons and outside of the calendar. */
  Optional<Slot> at(Instant time);

  /**
   * The period of that name; empty if there is none. Only the spelling that {@link #at} returns is
   * valid: {@code 2026-W7} is not.
   */
  Optional<Slot> named(PeriodName name);

  /** The first period that starts at or after the time; empty if there is none. */
  Optional<Slot> startingFrom(Instant time);

  /** An upper bound of the length of its periods, for a board's bit budget. */
  Duration longest();

  /** Whether its periods are closed at their end. */
  default boolean closes() {
    return true;
  }

  ZoneId zone();

  /** The days that rules count by. */
  default Days days() {
    return Days.of(zone());
  }

  /** An example of a period's name for messages, such as {@code 2026-W47}. */
  String example();

  /** The calendar's kind in board files, such as {@code week} or {@code none}. */
  String kind();

  /** A calendar with a list of periods. */
  sealed interface Listed extends Calendar permits SeasonCalendar, EndlessCalendar {
    /** Its periods, in order of time. */
    Stream<Slot> slots();

    @Override
    default Optional<Slot> at(Instant time) {
      return slots().filter(slot -> slot.contains(time)).findFirst();
    }

    @Override
    default Optional<Slot> named(PeriodName name) {
      return slots().filter(slot -> slot.name().equals(name)).findFirst();
    }

    @Override
    default Optional<Slot> startingFrom(Instant time) {
      return slots().filter(slot -> !slot.startsAt().isBefore(time)).findFirst();
    }

    @Override
    default Duration longest() {
      return slots().map(Slot::length).max(Duration::compareTo).orElseThrow();
    }
  }
}
