package palmares.rules.calendar;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Fits the periods of a calendar between those that a board has already, so that its periods tile
 * time whatever calendar each was opened under.
 *
 * <p>The rule: a period begins where the one before it ends, and ends where the calendar says. If
 * the board had a period of that name already, the time that is left of it joins the calendar's
 * next period. If that would be too long, it becomes a period named {@code NAME.2}.
 *
 * @param calendar what the board's file states
 * @param taken whether the board has a period of that name
 * @param fits whether the board's points are exact over that time
 */
public record CalendarTiling(Calendar calendar, Predicate<PeriodName> taken, Predicate<Slot> fits) {
  private static final int MAX_NAME = 40;

  /**
   * Time that no period of the board holds.
   *
   * @param from the end of the period before it; {@link Instant#MIN} if there is none
   * @param to the start of the period after it; {@link Instant#MAX} if there is none
   */
  public record Gap(Instant from, Instant to) {}

  /**
   * The period of a time that no period holds yet; empty if the calendar has none then.
   *
   * @param gap what contains the time
   */
  public Optional<Slot> at(Instant time, Gap gap) {
    return calendar.at(time).map(own -> fit(own, gap));
  }

  /** Whether the slot is one of the calendar's own. */
  public static boolean isOwn(Calendar calendar, Slot slot) {
    return calendar.at(slot.startsAt()).filter(slot::equals).isPresent();
  }

  private Slot fit(Slot own, Gap gap) {
    boolean usedUp = taken.test(own.name());
    if (usedUp && own.startsAt().isBefore(gap.from()) && own.endsAt().isBefore(gap.to())) {
      Optional<Slot> joined = touching(own.endsAt()).flatMap(next -> joined(next, gap));
      if (joined.isPresent()) {
        return joined.get();
      }
    }
    if (!usedUp && hasUsedUpRest(own, gap)) {
      Optional<Slot> joined = joined(own, gap);
      if (joined.isPresent()) {
        return joined.get();
      }
    }
    var from = later(own.startsAt(), gap.from());
    return new Slot(free(own.name()), from, earlier(own.endsAt(), gap.to()));
  }

  /** Whether only the rest of a period whose name is taken is free before it. */
  private boolean hasUsedUpRest(Slot own, Gap gap) {
    return gap.from().isBefore(own.startsAt())
        && calendar
            .at(gap.from())
            .filter(rest -> rest.startsAt().isBefore(gap.from()))
            .filter(rest -> rest.endsAt().equals(own.startsAt()))
            .filter(rest -> taken.test(rest.name()))
            .isPresent();
  }

  private Optional<Slot> touching(Instant end) {
    return calendar.at(end).filter(next -> next.startsAt().equals(end));
  }

  private Optional<Slot> joined(Slot next, Gap gap) {
    return taken.test(next.name())
        ? Optional.empty()
        : Optional.of(new Slot(next.name(), gap.from(), earlier(next.endsAt(), gap.to())))
            .filter(fits);
  }

  private PeriodName free(PeriodName name) {
    var found = name;
    for (int n = 2; taken.test(found); n++) {
      var ending = "." + n;
      var base = name.value();
      found =
          new PeriodName(
              base.substring(0, Math.min(base.length(), MAX_NAME - ending.length())) + ending);
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
