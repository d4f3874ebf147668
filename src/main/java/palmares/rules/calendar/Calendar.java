package palmares.rules.calendar;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A board's periods, in order, none overlapping another. */
public sealed interface Calendar permits RecurringCalendar, SeasonCalendar, EndlessCalendar {

  /** The period that the instant belongs to; empty between seasons and outside of the calendar. */
  Optional<Slot> at(Instant time);

  /**
   * The period of that name; empty if this calendar has none such. Only the one spelling that
   * {@link #at} gives is a name: {@code 2026-W7} is none.
   */
  Optional<Slot> named(PeriodName name);

  /** The first period that starts at or after the instant; empty if there is none any more. */
  Optional<Slot> startingFrom(Instant time);

  /** No period of this calendar is longer: what a board's bit budget is worked out from. */
  Duration longest();

  /** Whether periods of this calendar end, and so are closed. */
  boolean closes();

  /** What a period's name looks like, for messages: {@code 2026-W47}. */
  String example();

  /** The word that board files use for this kind of calendar: {@code week}, {@code none}. */
  String kind();
}
