package palmares.bench;

import org.jspecify.annotations.Nullable;

/**
 * A measured figure.
 *
 * @param name its key in the JSON, in {@code snake_case}; unique in a run
 * @param label the description for people
 * @param value in {@code unit}
 * @param unit of the value; empty for ratios
 * @param aim its target; null if it has none
 */
public record Figure(String name, String label, double value, String unit, @Nullable Aim aim) {

  /** A target: an upper or a lower bound. */
  public record Aim(double bound, boolean most) {
    public static Aim atMost(double bound) {
      return new Aim(bound, true);
    }

    public static Aim atLeast(double bound) {
      return new Aim(bound, false);
    }

    boolean keeps(double value) {
      return most ? value <= bound : value >= bound;
    }
  }

  /** Whether the value is within the target; true if there is none. */
  public boolean kept() {
    return aim == null || aim.keeps(value);
  }
}
