package palmares.bench.page;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a figure grows with the number of members.
 *
 * @param values by members; all above 0
 */
record Growth(SortedMap<Long, Double> values) {
  Growth {
    values = new TreeMap<>(values);
  }

  /**
   * The power of the members that it grows with: the slope of the straight line that lies nearest
   * to it where both are drawn by their logarithms; 1 is in proportion. Empty for one size.
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
   * What it would come to: from the largest size on, in proportion to the members at least, since
   * what a small size costs anyway tells nothing of a larger one.
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
