package palmares.platform.form;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads one kind of value from a file, and describes that kind as JSON Schema.
 *
 * @param <T> the type of the read value
 */
public interface SchemaNode<T> {

  /** Reads the value; returns null and records the faults if it is invalid. */
  @Nullable T read(Location location);

  /** This node as JSON Schema. */
  Map<String, Object> schema();

  /**
   * A node that reads the same values and converts them.
   *
   * @param change may return null, which invalidates the value
   */
  default <R> SchemaNode<R> map(Function<T, @Nullable R> change) {
    var plain = this;
    return new SchemaNode<>() {
      @Override
      public @Nullable R read(Location location) {
        var value = plain.read(location);
        return value == null ? null : change.apply(value);
      }

      @Override
      public Map<String, Object> schema() {
        return plain.schema();
      }
    };
  }
}
