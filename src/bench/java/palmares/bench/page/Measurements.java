package palmares.bench.page;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The figures of several commands. If two contain the same figure, the later one counts. */
public record Measurements(List<Measurement> all) {
  private static final String CLOSING = "close_seconds";

  /** The figure of that name. */
  OptionalDouble find(String name) {
    return all.stream()
        .map(measurement -> measurement.number(name))
        .filter(OptionalDouble::isPresent)
        .reduce((earlier, later) -> later)
        .orElse(OptionalDouble.empty());
  }

  /** The sizes of closings. */
  SortedSet<Long> sizes() {
    SortedSet<Long> sizes = numbers(CLOSING);
    for (Measurement measurement : all) {
      if (measurement.number(CLOSING).isPresent()) {
        measurement.number("members").ifPresent(members -> sizes.add((long) members));
      }
    }
    return sizes;
  }

  /** The numbers for which there is a figure named {@code NAME_NUMBER}. */
  SortedSet<Long> numbers(String name) {
    Pattern numbered = Pattern.compile(Pattern.quote(name) + "_(\\d+)");
    return all.stream()
        .flatMap(measurement -> measurement.values().keySet().stream())
        .map(numbered::matcher)
        .filter(Matcher::matches)
        .map(found -> Long.valueOf(found.group(1)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The figure of closings of one size. */
  OptionalDouble of(long members, String name) {
    return all.stream()
        .map(measurement -> of(measurement, members, name))
        .filter(OptionalDouble::isPresent)
        .reduce((earlier, later) -> later)
        .orElse(OptionalDouble.empty());
  }

  private static OptionalDouble of(Measurement measurement, long members, String name) {
    OptionalDouble sized = measurement.number(name + "_" + members);
    boolean alone = measurement.number("members").orElse(0) == members;
    return sized.isPresent() || !alone ? sized : measurement.number(name);
  }

  /** The figure by size, for the sizes that have it. */
  Growth growth(String name) {
    SortedMap<Long, Double> values = new TreeMap<>();
    for (long members : sizes()) {
      of(members, name).ifPresent(value -> values.put(members, value));
    }
    return new Growth(values);
  }

  /**
   * The figures of one command.
   *
   * @param values figures and settings by name
   */
  public record Measurement(Map<String, ?> values) {

    /**
     * @throws IllegalArgumentException if the values are not those of a benchmark
     */
    public Measurement {
      if (!(values.get("runs") instanceof Number) || !(values.get("cores") instanceof Number)) {
        throw new IllegalArgumentException(
            "holds no figures; name a file that a command of palmares-bench wrote by --json");
      }
      values = Map.copyOf(values);
    }

    OptionalDouble number(String name) {
      return values.get(name) instanceof Number number
          ? OptionalDouble.of(number.doubleValue())
          : OptionalDouble.empty();
    }

    /** The value as text; empty if there is none. */
    String text(String name) {
      Object value = values.get(name);
      return value == null ? "" : value.toString();
    }
  }
}
