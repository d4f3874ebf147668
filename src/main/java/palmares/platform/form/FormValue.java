package palmares.platform.form;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A group of fields as a file fills it in. */
public final class FormValue {
  private final Location location;
  private final Map<String, Location> places;
  private final Map<String, Object> values;
  private final boolean whole;

  FormValue(
      Location location, Map<String, Location> places, Map<String, Object> values, boolean whole) {
    this.location = location;
    this.places = places;
    this.values = values;
    this.whole = whole;
  }

  /** Where the group stands. */
  public Location location() {
    return location;
  }

  /** Where the field's value stands, or the group if the field is not there. */
  public Location spot(Field<?> field) {
    var place = places.get(field.name());
    return place == null ? location.absent(field.name()) : place;
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
