package palmares.bench.close;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import palmares.bench.Timing;

/** The values that one run measured, by the names of figures. */
final class Readings {
  private final Map<String, Double> values = new LinkedHashMap<>();

  void note(String name, double value) {
    values.put(name, value);
  }

  /**
   * The value of that name.
   *
   * @throws IllegalArgumentException if it was not measured
   */
  double get(String name) {
    Double value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("not measured: " + name);
    }
    return value;
  }

  OptionalDouble find(String name) {
    Double value = values.get(name);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  Iterable<String> names() {
    return values.keySet();
  }

  /** The median of each value over the runs. */
  static Readings medians(List<Readings> runs) {
    var medians = new Readings();
    for (Readings run : runs) {
      for (String name : run.names()) {
        var read = runs.stream().filter(other -> other.has(name)).map(other -> other.get(name));
        medians.note(name, Timing.median(read.toList()));
      }
    }
    return medians;
  }
}
