package palmares.rules.adoption;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palmares.rules.calendar.Calendar;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.Slot;

/**
 * The key that a team's program writes to in each period. {@code {period}} stands for the period's
 * name, {@code {start:yyyyMMdd}} for its first day as java.time writes it, with weeks by ISO 8601;
 * other braces are those of a Redis hash tag.
 *
 * @param text 1 to 200 characters
 */
public record KeyPattern(String text) {
  private static final int MOST_CHARACTERS = 200;
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(?:(period)|start:([^{}]+))}");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
  private static final String OURS = "palmares:";

  /** English names, German weeks: they are those of ISO 8601. */
  private static final Locale ISO_WEEKS = Locale.forLanguageTag("en-DE");

  private static final Instant LOOK_FROM = Instant.parse("2020-01-01T00:00:00Z");
  private static final Instant LOOK_TO = Instant.parse("2060-01-01T00:00:00Z");

  /**
   * @throws IllegalArgumentException if no Redis key can be made of it, or always the same
   */
  public KeyPattern {
    if (text.isEmpty() || text.length() > MOST_CHARACTERS || CONTROL.matcher(text).find()) {
      throw new IllegalArgumentException(
          "must have 1 to %d characters, and no control characters".formatted(MOST_CHARACTERS));
    }
    if (!PLACEHOLDER.matcher(text).find()) {
      throw new IllegalArgumentException(
          "needs {period} or {start:yyyyMMdd}, or all periods would share one key");
    }
    var sample = sample(text);
    if (sample.startsWith(OURS) || sample.startsWith("{" + OURS)) {
      throw new IllegalArgumentException("begins as Palmares' own keys do: " + OURS);
    }
    if (!hasTag(sample) && sample.matches(".*[{}].*")) {
      throw new IllegalArgumentException("has braces that make no hash tag of Redis");
    }
  }

  private static String sample(String text) {
    try {
      return fill(text, new PeriodName("2026"), LocalDate.EPOCH);
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "has a pattern that a day does not fit: " + e.getMessage());
    }
  }

  /** Two periods with one key. */
  public record Clash(PeriodName one, PeriodName other, String key) {}

  /** The first two periods of the calendar that would share a key, if any do within forty years. */
  public Optional<Clash> clash(Calendar calendar, ZoneId zone) {
    Map<String, PeriodName> taken = new HashMap<>();
    var slot = calendar.startingFrom(LOOK_FROM);
    while (slot.isPresent() && slot.get().startsAt().isBefore(LOOK_TO)) {
      var key = key(slot.get(), zone);
      var before = taken.putIfAbsent(key, slot.get().name());
      if (before != null) {
        return Optional.of(new Clash(before, slot.get().name(), key));
      }
      slot = calendar.startingFrom(slot.get().endsAt());
    }
    return Optional.empty();
  }

  /** The key of a period. */
  public String key(Slot slot, ZoneId zone) {
    return fill(text, slot.name(), LocalDate.ofInstant(slot.startsAt(), zone));
  }

  private static String fill(String text, PeriodName name, LocalDate first) {
    return PLACEHOLDER
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    found.group(1) != null
                        ? name.value()
                        : formatter(found.group(2)).format(first)));
  }

  private static DateTimeFormatter formatter(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, ISO_WEEKS);
  }

  /** Whether Redis Cluster puts the key where a part in braces says. */
  public static boolean hasTag(String key) {
    int from = key.indexOf('{');
    return from >= 0 && key.indexOf('}', from) > from + 1;
  }
}
