package palmares.platform.form;

import java.time.DateTimeException;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * A single value.
 *
 * @param what names the right values, as in {@code a whole number from 1 to 10}
 * @param kind what the value is in YAML
 * @param reader makes the value of its text; null or an exception if it is none
 * @param hint says more of a wrong text, such as {@code ; did you mean 'week'?}, or nothing
 * @param schema in the words of JSON Schema
 */
public record Scalar<T>(
    String what,
    Kind kind,
    Function<String, @Nullable T> reader,
    Function<String, String> hint,
    Map<String, Object> schema)
    implements SchemaNode<T> {

  @Override
  public @Nullable T read(Location location) {
    if (!(location.node() instanceof ScalarNode node)) {
      location.fault("must be %s, not %s".formatted(what, location.seen()));
      return null;
    }
    var found = Kind.of(node);
    if (found == Kind.NOTHING) {
      location.fault("has no value: it must be " + what);
      return null;
    }
    if (kind == Kind.TEXT && found != Kind.TEXT) {
      location.fault("must be %s: put %s in quotes".formatted(what, location.seen()));
      return null;
    }
    if (kind != Kind.TEXT && node.getScalarStyle() != ScalarStyle.PLAIN) {
      location.fault("must be %s, without quotes".formatted(what));
      return null;
    }
    return readText(node.getValue(), location);
  }

  /** The same value, made into something else. */
  public <R> Scalar<R> into(Function<T, R> change) {
    return new Scalar<>(
        what,
        kind,
        text -> {
          T value = reader.apply(text);
          return value == null ? null : change.apply(value);
        },
        hint,
        schema);
  }

  /** Reads a text whatever YAML takes it for: the keys of a group are just names. */
  @Nullable T readText(String text, Location location) {
    var value = parse(text);
    if (value == null) {
      location.fault("must be %s, not %s%s".formatted(what, location.seen(), hint.apply(text)));
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
}
