package palmares.platform.form;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a value may look like.
 *
 * @param <T> what reading one gives
 */
public interface SchemaNode<T> {

  /** The value; null if it is wrong, in which case the faults are noted. */
  @Nullable T read(Location location);

  /** This shape in the words of JSON Schema. */
  Map<String, Object> schema();

  /** The same shape, read as something else; as nothing if the change gives null. */
  default <R> SchemaNode<R> as(Function<T, @Nullable R> change) {
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
