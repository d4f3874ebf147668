package palmares.rules.calendar;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.platform.time.Days;

/**
 * A calendar of seasons with explicit names, dates and times of day, with or without gaps.
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
   * @param from its start; a day from its first time on
   * @param to its end; the whole of a day belongs to it
   */
  public record Season(PeriodName name, Edge from, Edge to) {
    /**
     * @throws palmares.platform.text.InvalidValue if no time between them exists in the zone
     */
    Slot slot(ZoneId zone) {
      return new Slot(name, from.instant(from.local(), zone), to.instant(to.end(), zone));
    }
  }

  /**
   * Where a season begins or ends.
   *
   * @param time of the day; null for a whole day
   */
  public record Edge(LocalDate date, @Nullable LocalTime time) {
    /** Reads {@code 2026-11-20} or {@code 2026-11-20T18:00}. */
    public static Edge parse(String text) {
      int day = text.indexOf('T');
      return day < 0
          ? new Edge(LocalDate.parse(text), null)
          : new Edge(
              LocalDate.parse(text.substring(0, day)), LocalTime.parse(text.substring(day + 1)));
    }

    /** Where a season that begins with it begins. */
    public LocalDateTime local() {
      return date.atTime(time == null ? LocalTime.MIDNIGHT : time);
    }

    /** Where a season that ends with it ends, exclusive. */
    public LocalDateTime end() {
      return time == null ? date.plusDays(1).atStartOfDay() : date.atTime(time);
    }

    /** Whether the clocks skip its time of day. */
    public boolean isSkipped(ZoneId zone) {
      return time != null && zone.getRules().getValidOffsets(local()).isEmpty();
    }

    private Instant instant(LocalDateTime local, ZoneId zone) {
      return new Days(zone, local.toLocalTime()).start(local.toLocalDate());
    }

    @Override
    public String toString() {
      return time == null ? date.toString() : date + "T" + time;
    }
  }
}
