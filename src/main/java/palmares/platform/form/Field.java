package palmares.platform.form;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Texts;

/**
 * A field of a form.
 *
 * @param name the field's key in files
 * @param schemaNode reads and describes the value
 * @param required whether the field must be present wherever it is allowed
 * @param defaultValue the default, as a file would write it; null if there is none
 * @param condition when the field is allowed; null if always
 */
public record Field<T>(
    String name,
    SchemaNode<T> schemaNode,
    boolean required,
    @Nullable Object defaultValue,
    @Nullable Condition condition) {
  /** The word for any value that is a group of fields. */
  public static final String GROUP = "{…}";

  /**
   * A condition on another field, under which a field is allowed.
   *
   * @param other the other field's name
   * @param words the values of the other field that allow this one; empty if the other field must
   *     be absent
   */
  public record Condition(String other, List<String> words) {}

  public static <T> Field<T> required(String name, SchemaNode<T> schemaNode) {
    return new Field<>(name, schemaNode, true, null, null);
  }

  public static <T> Field<T> optional(String name, SchemaNode<T> schemaNode) {
    return new Field<>(name, schemaNode, false, null, null);
  }

  /**
   * An optional field with a default.
   *
   * @param defaultValue a text, a number or a boolean, as in a file
   * @throws IllegalArgumentException if the default is not a valid value
   */
  public static <T> Field<T> optional(String name, Scalar<T> schemaNode, Object defaultValue) {
    if (schemaNode.parse(defaultValue.toString()) == null) {
      throw new IllegalArgumentException(
          "the default of %s is %s, which is not %s"
              .formatted(name, defaultValue, Texts.english(schemaNode.what())));
    }
    return new Field<>(name, schemaNode, false, defaultValue, null);
  }

  /** Returns this field, allowed only if the other field has one of the words. */
  public Field<T> onlyWith(Field<?> other, String... words) {
    return new Field<>(
        name, schemaNode, required, defaultValue, new Condition(other.name(), List.of(words)));
  }

  /** Returns this field, allowed only if the other field is absent. */
  public Field<T> without(Field<?> other) {
    return onlyWith(other);
  }

  @Nullable T readDefault() {
    return defaultValue != null && schemaNode instanceof Scalar<T> scalar
        ? scalar.parse(defaultValue.toString())
        : null;
  }

  Map<String, Object> schema(String description) {
    var schema = new LinkedHashMap<String, Object>();
    schema.put("description", description);
    schema.putAll(schemaNode.schema());
    if (defaultValue != null) {
      schema.put("default", defaultValue);
    }
    return schema;
  }
}
