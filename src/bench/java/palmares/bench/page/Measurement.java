package palmares.bench.page;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * What one command has measured.
 *
 * @param told its figures, and what they were measured on and with, by name
 */
public record Measurement(Map<String, ?> told) {

  /**
   * @throws IllegalArgumentException if no command that measures has told this
   */
  public Measurement {
    if (!(told.get("runs") instanceof Number) || !(told.get("cores") instanceof Number)) {
      throw new IllegalArgumentException(
          "holds no figures: it has no runs and no cores; give what --json of a 'palmares bench'"
              + " command wrote");
    }
    told = Map.copyOf(told);
  }

  OptionalDouble number(String name) {
    return told.get(name) instanceof Number number
        ? OptionalDouble.of(number.doubleValue())
        : OptionalDouble.empty();
  }

  /** As it stands there; empty if it does not. */
  String text(String name) {
    Object value = told.get(name);
    return value == null ? "" : value.toString();
  }
}
