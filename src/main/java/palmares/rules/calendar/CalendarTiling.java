package palmares.rules.calendar;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Fits the periods of a calendar between the periods that a board already has, so that periods
 * leave no gaps and do not overlap after the calendar has changed.
 *
 * <p>A period begins where the previous one ends, and ends where the calendar says. If the board
 * already had a period of that name, the remaining time joins the calendar's next period. If that
 * would be too long, it becomes a period named {@code NAME.2}.
 *
 * @param calendar of the board's file
 * @param isTaken whether the board has a period of that name
 * @param fits whether the board's points are exact in a period of that length
 */
public record CalendarTiling(
    Calendar calendar, Predicate<PeriodName> isTaken, Predicate<Slot> fits) {
  private static final int MAX_NAME_LENGTH = 40;

  /**
   * A time without a period of the board.
   *
   * @param from the end of the previous period; {@link Instant#MIN} if there is none
   * @param to the start of the next period; {@link Instant#MAX} if there is none
   */
  public record Gap(Instant from, Instant to) {}

  /**
   * The period for a time without one; empty if the calendar has none then.
   *
   * @param gap contains the time
   */
  public Optional<Slot> at(Instant time, Gap gap) {
    return calendar.at(time).map(regular -> fit(regular, gap));
  }

  /** Whether the slot is a period of the calendar, with the same boundaries. */
  public static boolean isRegular(Calendar calendar, Slot slot) {
    return calendar.at(slot.startsAt()).filter(slot::equals).isPresent();
  }

  /**
   * The calendar's period of which the slot is only the rest, under another name, because the board
   * has had a period of that name; empty if the slot is none.
   */
  public static Optional<Slot> restOf(Calendar calendar, Slot slot) {
    return calendar
        .at(slot.startsAt())
        .filter(whole -> calendar.named(slot.name()).isEmpty())
        .filter(whole -> slot.length().compareTo(whole.length()) < 0);
  }

  private Slot fit(Slot regular, Gap gap) {
    boolean isUsed = isTaken.test(regular.name());
    if (isUsed && regular.startsAt().isBefore(gap.from()) && regular.endsAt().isBefore(gap.to())) {
      Optional<Slot> joined = touching(regular.endsAt()).flatMap(next -> joined(next, gap));
      if (joined.isPresent()) {
        return joined.get();
      }
    }
    if (!isUsed && followsUsedRest(regular, gap)) {
      Optional<Slot> joined = joined(regular, gap);
      if (joined.isPresent()) {
        return joined.get();
      }
    }
    var from = later(regular.startsAt(), gap.from());
    return new Slot(unusedName(regular.name()), from, earlier(regular.endsAt(), gap.to()));
  }

  /** Whether the gap before it is the rest of a period whose name is taken. */
  private boolean followsUsedRest(Slot regular, Gap gap) {
    return gap.from().isBefore(regular.startsAt())
        && calendar
            .at(gap.from())
            .filter(rest -> rest.startsAt().isBefore(gap.from()))
            .filter(rest -> rest.endsAt().equals(regular.startsAt()))
            .filter(rest -> isTaken.test(rest.name()))
            .isPresent();
  }

  private Optional<Slot> touching(Instant end) {
    return calendar.at(end).filter(next -> next.startsAt().equals(end));
  }

  private Optional<Slot> joined(Slot next, Gap gap) {
    return isTaken.test(next.name())
        ? Optional.empty()
        : Optional.of(new Slot(next.name(), gap.from(), earlier(next.endsAt(), gap.to())))
            .filter(fits);
  }

  private PeriodName unusedName(PeriodName name) {
    var found = name;
    for (int n = 2; isTaken.test(found); n++) {
      var ending = "." + n;
      var base = name.value();
      found =
          new PeriodName(
              base.substring(0, Math.min(base.length(), MAX_NAME_LENGTH - ending.length()))
                  + ending);
    }
    return found;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
