package palmares.form;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a value may look like.
 *
 * @param <T> what reading one gives
 */
public interface Shape<T> {

  /** The value; null if it is wrong, in which case the faults are noted. */
  @Nullable T read(Spot spot);

  /** This shape in the words of JSON Schema. */
  Map<String, Object> schema();

  /** The same shape, read as something else; as nothing if the change gives null. */
  default <R> Shape<R> as(Function<T, @Nullable R> change) {
    var plain = this;
    return new Shape<>() {
      @Override
      public @Nullable R read(Spot spot) {
        var value = plain.read(spot);
        return value == null ? null : change.apply(value);
      }

      @Override
      public Map<String, Object> schema() {
        return plain.schema();
      }
    };
  }
}
