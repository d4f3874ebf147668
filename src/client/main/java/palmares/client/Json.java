package palmares.client;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/** Reads the fields of a JSON object by their types. */
final class Json {
  private Json() {}

  /**
   * @throws IllegalArgumentException if it is no JSON
   */
  static Object any(byte[] text) {
    try {
      return JSON.std.anyFrom(text);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("this is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * @throws IllegalArgumentException if it is no JSON object
   */
  @SuppressWarnings("unchecked")
  static Map<String, Object> object(byte[] text) {
    if (any(text) instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    throw new IllegalArgumentException("this is no JSON object");
  }

  static byte[] write(Object value) {
    return JSON.std.asBytes(value);
  }

  static @Nullable String text(Map<String, Object> object, String field) {
    return Objects.toString(object.get(field), null);
  }

  /**
   * @throws IllegalArgumentException if there is no such field
   */
  static String required(Map<String, Object> object, String field) {
    String text = text(object, field);
    if (text == null) {
      throw new IllegalArgumentException("the field '%s' is missing".formatted(field));
    }
    return text;
  }

  static @Nullable Long number(Map<String, Object> object, String field) {
    Object value = object.get(field);
    if (value == null) {
      return null;
    }
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw new IllegalArgumentException(
        "the field '%s' is '%s', not a whole number".formatted(field, value));
  }

  /**
   * @throws IllegalArgumentException if it is no time
   */
  static @Nullable Instant time(Map<String, Object> object, String field) {
    String text = text(object, field);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("the field '%s' is '%s', no time".formatted(field, text));
    }
  }

  /** The object that a field has; empty if it has none. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> map(Map<String, Object> object, String field) {
    return object.get(field) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /** The objects of a list; empty if it is none. */
  @SuppressWarnings("unchecked")
  static <T> List<T> list(@Nullable Object value, Function<Map<String, Object>, T> each) {
    return value instanceof List<?> list
        ? list.stream().map(item -> each.apply((Map<String, Object>) item)).toList()
        : List.of();
  }
}
