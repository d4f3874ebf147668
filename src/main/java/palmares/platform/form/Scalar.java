package palmares.platform.form;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.ScalarNode;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;

/**
 * A schema node for a single value.
 *
 * @param what names the valid values in messages, as in {@code a whole number from 1 to 10}
 * @param type the value's type in YAML
 * @param reader converts the text; returns null or throws if the text is invalid
 * @param words what an invalid text may have meant; empty if there are no such words
 * @param schema the node as JSON Schema
 */
public record Scalar<T>(
    Sentence what,
    Type type,
    Function<String, @Nullable T> reader,
    Collection<String> words,
    Map<String, Object> schema)
    implements SchemaNode<T> {
  /** The largest integer that every JSON reader and every double represents exactly: 2^53 - 1. */
  public static final long MAX_SAFE_INTEGER = (1L << 53) - 1;

  private static final Pattern WHOLE_NUMBER = Pattern.compile("0|[1-9]\\d{0,17}");

  /**
   * The type of a scalar by YAML 1.2, which editors use. SnakeYAML itself uses 1.1, in which {@code
   * yes} is true, {@code 1_000} a number and {@code 10:00} six hundred.
   */
  enum Type {
    NULL("|~|null|Null|NULL"),
    BOOLEAN("true|True|TRUE|false|False|FALSE"),
    NUMBER(
        "[-+]?(\\.\\d+|\\d+(\\.\\d*)?)([eE][-+]?\\d+)?|0o[0-7]+|0x[0-9a-fA-F]+"
            + "|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)"),
    TEXT(".*");

    private final Pattern pattern;

    Type(String pattern) {
      this.pattern = Pattern.compile(pattern, Pattern.DOTALL);
    }

    static Type of(ScalarNode node) {
      if (node.getScalarStyle() != ScalarStyle.PLAIN) {
        return TEXT;
      }
      for (var type : values()) {
        if (type.pattern.matcher(node.getValue()).matches()) {
          return type;
        }
      }
      throw new AssertionError("TEXT matches every value");
    }
  }

  /** A whole number in plain digits, within both bounds. */
  public static Scalar<Long> whole(long min, long max) {
    return new Scalar<>(
        new FormSentences.Whole(min, max),
        Type.NUMBER,
        text -> {
          long value = WHOLE_NUMBER.matcher(text).matches() ? Long.parseLong(text) : -1;
          return value >= min && value <= max ? value : null;
        },
        List.of(),
        ordered("type", "integer", "minimum", min, "maximum", max));
  }

  public static Scalar<Boolean> flag() {
    return new Scalar<>(
        new FormSentences.Flag(),
        Type.BOOLEAN,
        text -> text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null,
        List.of(),
        ordered("type", "boolean"));
  }

  /** A calendar date. The nanoseconds between any two valid dates fit into a long. */
  public static Scalar<LocalDate> date() {
    return text(
        new FormSentences.Date(), "(19[7-9]\\d|2[01]\\d{2})-\\d{2}-\\d{2}", LocalDate::parse);
  }

  /**
   * A text that matches a pattern.
   *
   * @param regex a regular expression for the whole text, also used in the JSON Schema
   */
  public static <T> Scalar<T> text(
      Sentence what, String regex, Function<String, @Nullable T> reader) {
    var pattern = Pattern.compile(regex);
    return new Scalar<>(
        what,
        Type.TEXT,
        text -> pattern.matcher(text).matches() ? reader.apply(text) : null,
        List.of(),
        ordered("type", "string", "pattern", "^(" + regex + ")$"));
  }

  /** A name of 1 to 40 lower-case letters, digits and hyphens. */
  public static Scalar<String> name(Sentence what) {
    return text(new FormSentences.Name(what), "[a-z0-9][a-z0-9-]{0,39}", name -> name);
  }

  /** One of the constants of an enum; the message about an invalid word lists them all. */
  public static <T extends Choice> Scalar<T> choice(T[] constants) {
    return choice(List.of(constants), Choice::word);
  }

  /** One of a few words; the message about an invalid word lists them all. */
  public static <T> Scalar<T> choice(List<T> values, Function<T, String> word) {
    var byWord = new LinkedHashMap<String, T>();
    values.forEach(value -> byWord.put(word.apply(value), value));
    return choice(
        new FormSentences.OneOf(List.copyOf(byWord.keySet())), byWord.keySet(), byWord::get);
  }

  /**
   * One of many words, too many to list in a message.
   *
   * @param value the value of one of these words
   */
  public static <T> Scalar<T> choice(
      Sentence what, Set<String> words, Function<String, @Nullable T> value) {
    return new Scalar<>(
        what,
        Type.TEXT,
        word -> words.contains(word) ? value.apply(word) : null,
        List.copyOf(words),
        ordered("type", "string", "enum", List.copyOf(words)));
  }

  @Override
  public @Nullable T read(Location location) {
    if (!(location.node() instanceof ScalarNode node)) {
      location.fault(new FormSentences.MustBe(what, location.value(), null));
      return null;
    }
    var found = Type.of(node);
    if (found == Type.NULL) {
      location.fault(new FormSentences.HasNoValue(what));
      return null;
    }
    if (type == Type.TEXT && found != Type.TEXT) {
      location.fault(
          parse(node.getValue()) == null
              ? new FormSentences.MustBe(what, location.value(), null)
              : new FormSentences.MustBeWithQuotes(what, location.value()));
      return null;
    }
    if (type != Type.TEXT && node.getScalarStyle() != ScalarStyle.PLAIN) {
      location.fault(new FormSentences.MustBeWithoutQuotes(what));
      return null;
    }
    return readText(node.getValue(), location);
  }

  @Override
  public <R> Scalar<R> map(Function<T, @Nullable R> change) {
    return new Scalar<>(
        what,
        type,
        text -> {
          T value = reader.apply(text);
          return value == null ? null : change.apply(value);
        },
        words,
        schema);
  }

  /** Reads a text of any YAML type: the keys of a map are read as plain names. */
  @Nullable T readText(String text, Location location) {
    var value = parse(text);
    if (value == null) {
      location.fault(new FormSentences.MustBe(what, location.value(), DidYouMean.of(text, words)));
    }
    return value;
  }

  @Nullable T parse(String text) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      return null;
    }
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
