package palmares.platform.form;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The single values that files are made of. */
public final class Scalars {
  /** The most that every reader of JSON and every double takes exactly: 2^53 - 1. */
  public static final long MOST = (1L << 53) - 1;

  private static final Pattern WHOLE = Pattern.compile("0|[1-9]\\d{0,17}");

  private Scalars() {}

  /** A whole number in plain digits, within both bounds. */
  public static Scalar<Long> whole(long least, long most) {
    return new Scalar<>(
        "a whole number from %d to %d, in digits only".formatted(least, most),
        Kind.NUMBER,
        text -> {
          long value = WHOLE.matcher(text).matches() ? Long.parseLong(text) : -1;
          return value >= least && value <= most ? value : null;
        },
        text -> "",
        ordered("type", "integer", "minimum", least, "maximum", most));
  }

  /** {@code true} or {@code false}. */
  public static Scalar<Boolean> flag() {
    return new Scalar<>(
        "true or false",
        Kind.FLAG,
        text -> text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null,
        text -> "",
        ordered("type", "boolean"));
  }

  /** A day of the calendar. Between any two of them a long holds the nanoseconds. */
  public static Scalar<LocalDate> date() {
    return text(
        "a date from 1970-01-01 to 2199-12-31, such as 2026-01-31",
        "(19[7-9]\\d|2[01]\\d{2})-\\d{2}-\\d{2}",
        LocalDate::parse);
  }

  /** A text of a shape that the reader also checks; {@code shape} is a regular expression. */
  public static <T> Scalar<T> text(
      String what, String schemaNode, Function<String, @Nullable T> reader) {
    var pattern = Pattern.compile(schemaNode);
    return new Scalar<>(
        what,
        Kind.TEXT,
        text -> pattern.matcher(text).matches() ? reader.apply(text) : null,
        text -> "",
        ordered("type", "string", "pattern", "^(" + schemaNode + ")$"));
  }

  /** What things are called in files: 1 to 40 lower-case letters, digits and hyphens. */
  public static Scalar<String> name(String what) {
    return text(
        what + " of 1 to 40 lower-case letters, digits and hyphens",
        "[a-z0-9][a-z0-9-]{0,39}",
        name -> name);
  }

  /** One of a few words, each of which is named in the message about a wrong one. */
  public static <T> Scalar<T> choice(List<T> values, Function<T, String> word) {
    var byWord = new LinkedHashMap<String, T>();
    values.forEach(value -> byWord.put(word.apply(value), value));
    return among("one of " + String.join(", ", byWord.keySet()), byWord);
  }

  /** One of many words, too many to name. */
  public static <T> Scalar<T> among(String what, Map<String, T> byWord) {
    return new Scalar<>(
        what,
        Kind.TEXT,
        byWord::get,
        text -> Suggestion.hint(text, byWord.keySet()),
        ordered("type", "string", "enum", List.copyOf(byWord.keySet())));
  }

  /** A map in the order given: name, value, name, value. */
  static Map<String, Object> ordered(Object... namesAndValues) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
