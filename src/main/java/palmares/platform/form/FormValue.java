package palmares.platform.form;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/** The values of a form's fields, as read from a file. */
public final class FormValue {
  private final Location location;
  private final Map<String, Location> locations;
  private final Map<String, Object> values;
  private final boolean isValid;

  FormValue(
      Location location,
      Map<String, Location> locations,
      Map<String, Object> values,
      boolean isValid) {
    this.location = location;
    this.locations = locations;
    this.values = values;
    this.isValid = isValid;
  }

  public Location location() {
    return location;
  }

  /** Where the field's value is in the file; where the form begins if the field is absent. */
  public Location location(Field<?> field) {
    var found = locations.get(field.name());
    return found == null ? location.absent(field.name()) : found;
  }

  /** Records a fault of the field. */
  public void fault(Field<?> field, Sentence said) {
    location(field).fault(said);
  }

  /** Whether the field is present, valid or not. */
  public boolean has(Field<?> field) {
    return locations.containsKey(field.name());
  }

  /** The field's value, or its default if absent; null if invalid, or absent without a default. */
  @SuppressWarnings("unchecked") // a Form stores what the field's own node has read
  public <T> @Nullable T find(Field<T> field) {
    return has(field) ? (T) values.get(field.name()) : field.readDefault();
  }

  /**
   * The value of a field that is required or has a default.
   *
   * @throws IllegalStateException if there is no value; never if the form {@link #isValid}
   */
  public <T> T get(Field<T> field) {
    var value = find(field);
    if (value == null) {
      throw new IllegalStateException("no value for " + field.name());
    }
    return value;
  }

  /** Whether no field is invalid, missing or unknown. */
  public boolean isValid() {
    return isValid;
  }
}
