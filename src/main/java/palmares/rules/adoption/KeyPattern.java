package palmares.rules.adoption;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palmares.platform.text.InvalidValue;
import palmares.rules.calendar.Calendar;
import palmares.rules.calendar.HourCalendar;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.Slot;

/**
 * The pattern of the keys that another program uses for the periods of a board. {@code {period}} is
 * replaced by the period's name, {@code {start:yyyyMMdd}} by its first day and hour in a format of
 * java.time with ISO weeks. Other braces belong to a Redis hash tag, unless they look like a
 * mistaken placeholder.
 *
 * @param text 1 to 200 characters
 */
public record KeyPattern(String text) {
  private static final int MAX_CHARACTERS = 200;
  static final Pattern PLACEHOLDER = Pattern.compile("\\{(?:(period)|start:([^{}]+))}");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
  private static final String OWN_PREFIX = "palmares:";

  /** English names, and the ISO weeks that Germany uses. */
  private static final Locale ISO_WEEKS = Locale.forLanguageTag("en-DE");

  private static final Instant CHECK_FROM = Instant.parse("2020-01-01T00:00:00Z");
  private static final int MAX_CHECKED = 15_000;
  private static final Duration AROUND_A_CHANGE = Duration.ofHours(4);
  private static final int HOURS_AROUND_A_CHANGE = 9;
  private static final Instant CHECK_TO = Instant.parse("2060-01-01T00:00:00Z");

  /**
   * @throws InvalidValue if it gives no valid key, or the same key for all periods
   */
  public KeyPattern {
    if (text.isEmpty() || text.length() > MAX_CHARACTERS || CONTROL.matcher(text).find()) {
      throw new InvalidValue(new KeySentences.WrongLength(MAX_CHARACTERS));
    }
    Placeholders.requireNoMistake(text);
    if (!PLACEHOLDER.matcher(text).find()) {
      throw new InvalidValue(new KeySentences.NoPlaceholder());
    }
    var sample = sample(text);
    if (sample.startsWith(OWN_PREFIX) || sample.startsWith("{" + OWN_PREFIX)) {
      throw new InvalidValue(new KeySentences.Own(OWN_PREFIX));
    }
    if (!hasTag(sample) && sample.matches(".*[{}].*")) {
      throw new InvalidValue(new KeySentences.NoTag());
    }
  }

  private static String sample(String text) {
    try {
      return keys(text).apply(new PeriodName("2026"), LocalDate.EPOCH.atStartOfDay());
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new InvalidValue(new KeySentences.WrongFormat(String.valueOf(e.getMessage())));
    }
  }

  public record Clash(PeriodName one, PeriodName other, String key) {}

  /**
   * The first two periods that would share a key, if any: of 15,000 from 2020 on to 2060, and of
   * all hours around each change of clocks until then.
   */
  public Optional<Clash> clash(Calendar calendar, ZoneId zone) {
    if (text.contains("{period}") && PLACEHOLDER.matcher(text).results().count() == 1) {
      return Optional.empty(); // Names are unique. To read 15,000 days takes a third of a second.
    }
    var keys = keys(text);
    Map<String, PeriodName> taken = new HashMap<>();
    return Stream.concat(
            slots(calendar, CHECK_FROM, MAX_CHECKED),
            calendar instanceof HourCalendar ? aroundChanges(calendar, zone) : Stream.of())
        .flatMap(
            slot -> {
              var key = keys.apply(slot.name(), start(slot, zone));
              var previous = taken.putIfAbsent(key, slot.name());
              return previous == null || previous.equals(slot.name())
                  ? Stream.<Clash>of()
                  : Stream.of(new Clash(previous, slot.name(), key));
            })
        .findFirst();
  }

  private static Stream<Slot> slots(Calendar calendar, Instant from, int count) {
    return Stream.iterate(
            calendar.startingFrom(from),
            slot -> slot.isPresent() && slot.get().startsAt().isBefore(CHECK_TO),
            slot -> calendar.startingFrom(slot.orElseThrow().endsAt()))
        .limit(count)
        .flatMap(Optional::stream);
  }

  private static Stream<Slot> aroundChanges(Calendar calendar, ZoneId zone) {
    return Stream.iterate(
            zone.getRules().nextTransition(CHECK_FROM),
            change -> change != null && change.getInstant().isBefore(CHECK_TO),
            change -> zone.getRules().nextTransition(change.getInstant()))
        .flatMap(
            change ->
                slots(calendar, change.getInstant().minus(AROUND_A_CHANGE), HOURS_AROUND_A_CHANGE));
  }

  public String key(Slot slot, ZoneId zone) {
    return keys(text).apply(slot.name(), start(slot, zone));
  }

  private static LocalDateTime start(Slot slot, ZoneId zone) {
    return LocalDateTime.ofInstant(slot.startsAt(), zone);
  }

  /** Reads the pattern once for many keys, each of a period's name and its start. */
  private static BiFunction<PeriodName, LocalDateTime, String> keys(String text) {
    var parts = new ArrayList<BiFunction<PeriodName, LocalDateTime, String>>();
    var found = PLACEHOLDER.matcher(text);
    int end = 0;
    while (found.find()) {
      String before = text.substring(end, found.start());
      parts.add((name, first) -> before);
      if (found.group(1) != null) {
        parts.add((name, first) -> name.value());
      } else {
        var format = DateTimeFormatter.ofPattern(found.group(2), ISO_WEEKS);
        parts.add((name, first) -> format.format(first));
      }
      end = found.end();
    }
    String after = text.substring(end);
    return (name, first) ->
        parts.stream().map(part -> part.apply(name, first)).collect(Collectors.joining()) + after;
  }

  /** Whether Redis Cluster hashes only a part of the key in braces. */
  public static boolean hasTag(String key) {
    int from = key.indexOf('{');
    return from >= 0 && key.indexOf('}', from) > from + 1;
  }
}
