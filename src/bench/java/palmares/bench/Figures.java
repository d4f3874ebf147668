package palmares.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palmares.bench.Figure.Aim;

/** The figures of a benchmark, in the order of the output. */
public final class Figures {
  private final List<Figure> all = new ArrayList<>();

  /** Adds a figure without a target. */
  public Figures add(String name, String label, double value, String unit) {
    return add(new Figure(name, label, value, unit, null));
  }

  /** Adds a figure with a target. */
  public Figures addWithAim(String name, String label, double value, Aim aim) {
    return add(new Figure(name, label, value, "", aim));
  }

  private Figures add(Figure figure) {
    if (all.stream().anyMatch(other -> other.name().equals(figure.name()))) {
      throw new IllegalArgumentException("two figures named " + figure.name());
    }
    all.add(figure);
    return this;
  }

  public List<Figure> all() {
    return List.copyOf(all);
  }

  /** The values by name, for the JSON. */
  public Map<String, Double> values() {
    var values = new LinkedHashMap<String, Double>();
    all.forEach(figure -> values.put(figure.name(), figure.value()));
    return values;
  }
}
