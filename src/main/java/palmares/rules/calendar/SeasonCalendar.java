package palmares.rules.calendar;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * A calendar of seasons with explicit names and dates, with or without gaps.
 *
 * @param zone of the dates
 * @param seasons at least one, in order of time
 */
public record SeasonCalendar(ZoneId zone, List<Season> seasons) implements Calendar.Listed {
  /**
   * @throws IllegalArgumentException if there is no season, a season begins before the end of the
   *     previous one or is empty, or two have the same name
   */
  public SeasonCalendar {
    seasons = List.copyOf(seasons);
    if (seasons.isEmpty()) {
      throw new IllegalArgumentException("a calendar of seasons has at least one season");
    }
    var names = new HashSet<PeriodName>();
    var previousEnd = Instant.MIN;
    for (var season : seasons) {
      var slot = season.slot(zone);
      if (slot.startsAt().isBefore(previousEnd)) {
        throw new IllegalArgumentException(
            "season %s begins before the one above it has ended".formatted(season.name()));
      }
      if (!names.add(season.name())) {
        throw new IllegalArgumentException("two seasons are named " + season.name());
      }
      previousEnd = slot.endsAt();
    }
  }

  @Override
  public boolean closes() {
    return true;
  }

  @Override
  public String example() {
    return seasons.get(0).name().value();
  }

  @Override
  public String kind() {
    return "seasons";
  }

  @Override
  public Stream<Slot> slots() {
    return seasons.stream().map(season -> season.slot(zone));
  }

  /**
   * A period with explicit dates.
   *
   * @param name of the period
   * @param from the first day
   * @param to the last day, inclusive
   */
  public record Season(PeriodName name, LocalDate from, LocalDate to) {
    /**
     * @throws IllegalArgumentException if none of its days exists in the zone
     */
    Slot slot(ZoneId zone) {
      return new Slot(
          name, from.atStartOfDay(zone).toInstant(), to.plusDays(1).atStartOfDay(zone).toInstant());
    }
  }
}
