package palmares.bench.page;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The growth of a figure with the number of members.
 *
 * @param values by members; all above 0
 */
record Growth(SortedMap<Long, Double> values) {
  Growth {
    values = new TreeMap<>(values);
  }

  /**
   * The exponent of growth: the slope of a linear regression of the logarithms. 1 means
   * proportional. Empty if there is one size only.
   */
  OptionalDouble exponent() {
    if (values.size() < 2) {
      return OptionalDouble.empty();
    }
    double meanX = mean(values.keySet().stream().mapToDouble(Math::log).average());
    double meanY = mean(values.values().stream().mapToDouble(Math::log).average());
    double above = 0;
    double below = 0;
    for (Map.Entry<Long, Double> point : values.entrySet()) {
      double x = Math.log(point.getKey()) - meanX;
      above += x * (Math.log(point.getValue()) - meanY);
      below += x * x;
    }
    return OptionalDouble.of(above / below);
  }

  private static double mean(OptionalDouble average) {
    return average.orElseThrow();
  }

  /**
   * Extrapolates from the largest size, with an exponent of at least 1, because fixed costs flatten
   * the growth of small sizes.
   */
  double at(long members) {
    double power = Math.max(1, exponent().orElse(1));
    return last() * Math.pow((double) members / values.lastKey(), power);
  }

  /** The value of the largest size. */
  double last() {
    return Objects.requireNonNull(values.get(values.lastKey()));
  }
}
