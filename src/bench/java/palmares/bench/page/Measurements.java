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

/** What several commands have measured; where two tell the same figure, the later one counts. */
public record Measurements(List<Measurement> all) {
  private static final String CLOSING = "close_seconds";
  private static final Pattern SIZED = Pattern.compile(CLOSING + "_(\\d+)");

  /** The figure of whichever command has told it. */
  OptionalDouble find(String name) {
    return all.stream()
        .map(measurement -> measurement.number(name))
        .filter(OptionalDouble::isPresent)
        .reduce((earlier, later) -> later)
        .orElse(OptionalDouble.empty());
  }

  /** How many members the boards had that were closed. */
  SortedSet<Long> sizes() {
    var sizes = new TreeSet<Long>();
    for (Measurement measurement : all) {
      if (measurement.number(CLOSING).isPresent()) {
        measurement.number("members").ifPresent(members -> sizes.add((long) members));
      }
      for (String name : measurement.told().keySet()) {
        Matcher sized = SIZED.matcher(name);
        if (sized.matches()) {
          sizes.add(Long.parseLong(sized.group(1)));
        }
      }
    }
    return sizes;
  }

  /** The figure of the closings of that size. */
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

  /** The figure by size, where it was told. */
  Growth growth(String name) {
    SortedMap<Long, Double> values = new TreeMap<>();
    for (long members : sizes()) {
      of(members, name).ifPresent(value -> values.put(members, value));
    }
    return new Growth(values);
  }

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
}
