package palmares.live.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/**
 * Why a text is no JSON, and what is expected there. The parser's own messages name its classes and
 * settings, so they are not shown.
 */
public enum JsonFault implements Choice {
  UNCLOSED("(?!)"),
  NESTING("nesting depth"),
  LONG_TEXT("(?i)string (value )?length"),
  LONG_NAME("(?i)name length"),
  LONG_NUMBER("(?i)number value length"),
  TWICE("^Duplicate"),
  COLON("colon"),
  COMMA("comma"),
  NAME("start property name"),
  OTHER_END("close marker"),
  CONTROL("CTRL-CHAR"),
  NOT_UTF8("(?i)surrogate|UTF-8|UTF-32|UTF-16|UCS"),
  ESCAPE("(?i)escape"),
  MORE("root-level"),
  TOKEN("[Tt]oken"),
  NUMBER("(?i)numeric value|zeroes|decimal point|exponent|plus sign|minus sign"),
  VALUE("");

  /** A character that the parser did not expect. */
  private static final Pattern UNEXPECTED = Pattern.compile("^Unexpected character \\('(.)' ");

  private final Pattern message;

  /**
   * @param message finds the parser's messages; the first that matches
   */
  JsonFault(String message) {
    this.message = Pattern.compile(message);
  }

  /** Describes why a body is no JSON: where, and what is expected. */
  public static Sentence of(JacksonException e) {
    return of(e, null, 1);
  }

  /**
   * Describes why a text is no JSON.
   *
   * @param text what was parsed, by which columns are counted in characters; null if it is not kept
   * @param firstLine the number of the text's first line
   */
  static Sentence of(JacksonException e, byte @Nullable [] text, long firstLine) {
    return at(e.getLocation(), text, firstLine, what(e));
  }

  /** Names a location of a text that is no JSON, and what is wrong there. */
  static Sentence at(
      @Nullable TokenStreamLocation where, byte @Nullable [] text, long firstLine, Sentence what) {
    return where == null || where.getLineNr() < 1
        ? new JsonSentences.Invalid(what)
        : new JsonSentences.InvalidAt(where.getLineNr() + firstLine - 1, column(where, text), what);
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

  private static Sentence what(JacksonException e) {
    if (e instanceof UnexpectedEndOfInputException) {
      return new JsonSentences.Expected(UNCLOSED);
    }
    String message = String.valueOf(e.getOriginalMessage());
    JsonFault fault =
        Arrays.stream(values())
            .filter(each -> each.message.matcher(message).find())
            .findFirst()
            .orElse(VALUE);
    Matcher unexpected = UNEXPECTED.matcher(message);
    return unexpected.find()
        ? new JsonSentences.Unexpected(unexpected.group(1), fault)
        : new JsonSentences.Expected(fault);
  }
}
