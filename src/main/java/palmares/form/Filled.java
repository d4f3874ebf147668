package palmares.form;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A group of fields as a file fills it in. */
public final class Filled {
  private final Spot spot;
  private final Map<String, Spot> places;
  private final Map<String, Object> values;
  private final boolean whole;

  Filled(Spot spot, Map<String, Spot> places, Map<String, Object> values, boolean whole) {
    this.spot = spot;
    this.places = places;
    this.values = values;
    this.whole = whole;
  }

  /** Where the group stands. */
  public Spot spot() {
    return spot;
  }

  /** Where the field's value stands, or the group if the field is not there. */
  public Spot spot(Field<?> field) {
    var place = places.get(field.name());
    return place == null ? spot.absent(field.name()) : place;
  }

  /** Whether the file has the field, right or wrong. */
  public boolean has(Field<?> field) {
    return places.containsKey(field.name());
  }

  /** The field's value; its fallback if it is not there; null if it is wrong or has none. */
  @SuppressWarnings("unchecked") // a Form puts in what the field's own shape has read
  public <T> @Nullable T find(Field<T> field) {
    return has(field) ? (T) values.get(field.name()) : field.fallbackValue();
  }

  /**
   * The value of a field that a group without faults always has.
   *
   * @throws IllegalStateException if it has none: ask only where {@link #whole()}
   */
  public <T> T get(Field<T> field) {
    var value = find(field);
    if (value == null) {
      throw new IllegalStateException("no value for " + field.name());
    }
    return value;
  }

  /** Whether no field was wrong, missing or unknown. */
  public boolean whole() {
    return whole;
  }
}
