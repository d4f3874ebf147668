package palmares.platform.form;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A field of a group.
 *
 * @param name as files spell it
 * @param shape what its value may be
 * @param description for people, in the schema and in messages
 * @param required whether it must be there, if it may be
 * @param fallback what holds if it is not there, as the file would spell it; null if nothing does
 * @param only when it may be there; null if always
 */
public record Field<T>(
    String name,
    SchemaNode<T> schemaNode,
    String description,
    boolean required,
    @Nullable Object fallback,
    @Nullable Only only) {

  /**
   * A field that goes only with some words of another, or only where the other is not there.
   *
   * @param with the other field's name
   * @param words of the other field; none if it must not be there
   */
  public record Only(String with, List<String> words) {}

  public static <T> Field<T> required(String name, SchemaNode<T> schemaNode, String description) {
    return new Field<>(name, schemaNode, description, true, null, null);
  }

  public static <T> Field<T> optional(String name, SchemaNode<T> schemaNode, String description) {
    return new Field<>(name, schemaNode, description, false, null, null);
  }

  /** An optional field; {@code fallback} is a text, a number or a truth value, as in a file. */
  public static <T> Field<T> optional(
      String name, Scalar<T> schemaNode, Object fallback, String description) {
    if (schemaNode.parse(fallback.toString()) == null) {
      throw new IllegalArgumentException(
          "%s cannot fall back to %s, which is not %s"
              .formatted(name, fallback, schemaNode.what()));
    }
    return new Field<>(name, schemaNode, description, false, fallback, null);
  }

  /** The same field, allowed only where the other one has one of the words. */
  public Field<T> onlyWith(Field<?> other, String... words) {
    var when = new Only(other.name(), List.of(words));
    return new Field<>(name, schemaNode, description, required, fallback, when);
  }

  /** The same field, allowed only where the other one is not there. */
  public Field<T> without(Field<?> other) {
    return onlyWith(other);
  }

  @Nullable T fallbackValue() {
    return fallback != null && schemaNode instanceof Scalar<T> scalar
        ? scalar.parse(fallback.toString())
        : null;
  }

  Map<String, Object> schema() {
    var schema = new LinkedHashMap<String, Object>();
    schema.put("description", description);
    schema.putAll(schemaNode.schema());
    if (fallback != null) {
      schema.put("default", fallback);
    }
    return schema;
  }
}
