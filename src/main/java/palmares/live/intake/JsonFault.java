package palmares.live.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/**
 * Says in words of callers where a text is no JSON, and what is expected there. The parser's own
 * messages name its classes and settings, so they are not shown.
 */
public final class JsonFault {
  private static final String VALUE =
      "a value is expected: a text in double quotes, a number, true, false, null, a list or an"
          + " object";
  private static final String NUMBER =
      "a number is expected: digits without leading zeros, as in 10 or -2.5";
  private static final String UNCLOSED =
      "the text ends too early: close each quote, bracket and brace";

  /** A character that the parser did not expect. */
  private static final Pattern UNEXPECTED = Pattern.compile("^Unexpected character \\('(.)' ");

  /** What the parser's messages mean; the first that matches. */
  private static final List<Meaning> MEANINGS =
      List.of(
          meaning("nesting depth", "lists and objects are nested too deeply: flatten them"),
          meaning("(?i)string (value )?length", "a text is too long: shorten it"),
          meaning("(?i)name length", "the name of a field is too long: shorten it"),
          meaning("(?i)number value length", "a number has too many digits: shorten it"),
          meaning("^Duplicate", "a field is sent twice: send each once"),
          meaning("colon", "':' is expected between the name of a field and its value"),
          meaning("comma", "',' or the closing bracket or brace is expected"),
          meaning(
              "start property name", "the name of a field in double quotes is expected, or '}'"),
          meaning("close marker", "what is closed here is not what was opened"),
          meaning("CTRL-CHAR", "a control character is written as an escape, as in \\n or \\u0007"),
          meaning("(?i)surrogate|UTF-8|UTF-32|UTF-16|UCS", "the text is not UTF-8"),
          meaning("(?i)escape", "an escape is one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"),
          meaning("root-level", "something follows the value: send one, or a list"),
          meaning("[Tt]oken", VALUE),
          meaning("(?i)numeric value|zeroes|decimal point|exponent|plus sign|minus sign", NUMBER),
          meaning("", VALUE));

  private record Meaning(Pattern message, String words) {}

  private JsonFault() {}

  private static Meaning meaning(String message, String words) {
    return new Meaning(Pattern.compile(message), words);
  }

  /** Describes why a body is no JSON: where, and what is expected. */
  public static String of(JacksonException e) {
    return at(e.getLocation(), null, 1) + ": " + what(e);
  }

  /**
   * Describes why a text is no JSON.
   *
   * @param text what was parsed, by which columns are counted in characters; null if it is not kept
   * @param firstLine the number of the text's first line
   */
  static String of(JacksonException e, byte @Nullable [] text, long firstLine) {
    return at(e.getLocation(), text, firstLine) + ": " + what(e);
  }

  /** Names a location of a text that is no JSON. */
  static String at(@Nullable TokenStreamLocation where, byte @Nullable [] text, long firstLine) {
    if (where == null || where.getLineNr() < 1) {
      return "not valid JSON";
    }
    return "not valid JSON, at line %d, column %d"
        .formatted(where.getLineNr() + firstLine - 1, column(where, text));
  }

  /** The parser counts bytes. */
  private static long column(TokenStreamLocation where, byte @Nullable [] text) {
    long bytes = where.getColumnNr() - 1L;
    long end = where.getByteOffset();
    if (text == null || end < bytes || end > text.length) {
      return bytes + 1;
    }
    String before = new String(text, (int) (end - bytes), (int) bytes, UTF_8);
    return before.codePointCount(0, before.length()) + 1L;
  }

  private static String what(JacksonException e) {
    if (e instanceof UnexpectedEndOfInputException) {
      return UNCLOSED;
    }
    String message = String.valueOf(e.getOriginalMessage());
    Matcher unexpected = UNEXPECTED.matcher(message);
    String words =
        MEANINGS.stream()
            .filter(meaning -> meaning.message().matcher(message).find())
            .map(Meaning::words)
            .findFirst()
            .orElse(VALUE);
    return unexpected.find()
        ? "'%s' is wrong here; %s".formatted(unexpected.group(1), words)
        : words;
  }
}
