package palmares.platform.text;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Something that can be done next: an operation with the fields that are known. A door makes of it
 * a command, a button with a filled form, or data.
 *
 * @param verb an operation or a page, such as {@code approve} or {@code preview}
 * @param fields by the names that they have in a request; in the order in which they are shown
 */
public record Next(String verb, Map<String, Object> fields) {
  public Next {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  public static Next of(String verb) {
    return new Next(verb, Map.of());
  }

  /** About a period. */
  public static Next of(String verb, Object board, Object period) {
    return of(verb).with("board", board).with("period", period);
  }

  /**
   * The same with a further field.
   *
   * @param value a list if the person must choose one of several values
   */
  public Next with(String field, Object value) {
    var more = new LinkedHashMap<>(fields);
    more.put(field, Objects.requireNonNull(Said.plain(value)));
    return new Next(verb, more);
  }
}
