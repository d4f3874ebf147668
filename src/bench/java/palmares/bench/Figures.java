package palmares.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palmares.bench.Figure.Aim;

/** What a run has measured, in the order in which it tells it. */
public final class Figures {
  private final List<Figure> all = new ArrayList<>();

  /** Adds one that only tells. */
  public Figures tell(String name, String label, double value, String unit) {
    return add(new Figure(name, label, value, unit, null));
  }

  /** Adds one that is held against a bound. */
  public Figures hold(String name, String label, double value, Aim aim) {
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

  /** By their names, for programs. */
  public Map<String, Double> values() {
    var values = new LinkedHashMap<String, Double>();
    all.forEach(figure -> values.put(figure.name(), figure.value()));
    return values;
  }
}
