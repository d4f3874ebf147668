package palmares.rules.adoption;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palmares.platform.form.Suggestion;
import palmares.platform.text.InvalidValue;

/**
 * Finds mistaken placeholders in the pattern of a key. They would be literal text, so that Palmares
 * would look for a key that no program writes.
 */
final class Placeholders {
  private static final Pattern BRACES = Pattern.compile("\\{([^{}]*)}");
  private static final Pattern SEPARATOR = Pattern.compile("[:,;=|]");
  private static final Pattern HOURS_OF_TWELVE = Pattern.compile("'[^']*'|h");
  private static final Pattern QUOTED = Pattern.compile("'[^']*'");

  /** Templates of other languages. */
  private static final Pattern OTHER_TEMPLATE =
      Pattern.compile("[$#%]\\{(?:period|start)|%[YyGmdVWUj]");

  /** A date in letters of java.time or another library, such as yyyy-MM-dd. */
  private static final Pattern DATE =
      Pattern.compile("(?i)(?=.*(?:yy|mm|dd|ww|q))[ymdwqe][ymdwqeh\\-/._' ]+");

  private static final Set<String> WORDS =
      Set.of(
          "period", "start", "begin", "end", "from", "to", "until", "date", "day", "week", "month",
          "quarter", "year", "season", "time", "now", "today", "name", "board");

  private Placeholders() {}

  /**
   * @throws InvalidValue if the pattern has a mistaken placeholder; says which may be meant
   */
  static void requireNoMistake(String text) {
    Matcher other = OTHER_TEMPLATE.matcher(text);
    if (other.find()) {
      throw new InvalidValue(new KeySentences.OtherTemplate(other.group()));
    }
    Matcher known = KeyPattern.PLACEHOLDER.matcher(text);
    while (known.find()) {
      if (known.group(2) != null) {
        requireDate(known.group(2));
      }
    }
    // What is left in braces, without a placeholder in it, is a literal hash tag.
    Matcher literal = BRACES.matcher(known.replaceAll("\0"));
    while (literal.find()) {
      String content = literal.group(1);
      meant(content)
          .ifPresent(
              meant -> {
                throw new InvalidValue(new KeySentences.Mistaken(content, meant));
              });
    }
  }

  /** Returns the placeholder that a text in braces may mean; empty if it is a plain hash tag. */
  private static Optional<String> meant(String content) {
    String[] parts = SEPARATOR.split(content, 2);
    String word = parts[0].strip();
    String format = parts[parts.length - 1].strip();
    if (DATE.matcher(format).matches()) {
      return Optional.of("{start:%s}".formatted(corrected(format)));
    }
    if (WORDS.contains(word.toLowerCase(Locale.ROOT))
        || Suggestion.find(word, Set.of("period")).isPresent()) {
      return Optional.of(parts.length == 1 ? "{period}" : "{start:yyyyMMdd}");
    }
    return Optional.empty();
  }

  /** Refuses letters of java.time that are not those of the date that is meant. */
  private static void requireDate(String format) {
    String meant = corrected(format);
    if (!meant.equals(format)) {
      throw new InvalidValue(new KeySentences.OtherLetters(format, meant));
    }
  }

  private static String corrected(String format) {
    String letters = QUOTED.matcher(format).replaceAll("");
    String meant = format;
    if (letters.matches("(?s).*[yY].*[mM].*D.*|.*D.*[mM].*[yY].*")) {
      meant = meant.replace('D', 'd');
    }
    if (letters.indexOf('m') >= 0 && letters.indexOf('M') < 0) {
      meant = meant.replace('m', 'M');
    }
    meant =
        HOURS_OF_TWELVE
            .matcher(meant)
            .replaceAll(
                found -> found.group().equals("h") ? "H" : Matcher.quoteReplacement(found.group()));
    boolean weekly = letters.indexOf('w') >= 0;
    return weekly ? meant.replace('y', 'Y') : meant.replace('Y', 'y');
  }
}
