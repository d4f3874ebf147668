package palmares.bench;

import org.jspecify.annotations.Nullable;

/**
 * One measured figure.
 *
 * @param name what a program finds it by, in {@code snake_case}; unique in a run
 * @param label what it is, in words
 * @param value in {@code unit}
 * @param unit of the value; empty for ratios
 * @param aim what it is held against; null where it only tells
 */
public record Figure(String name, String label, double value, String unit, @Nullable Aim aim) {

  /** A bound that the figure is to keep. */
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

  /** Whether it keeps its bound; true where it has none. */
  public boolean kept() {
    return aim == null || aim.keeps(value);
  }
}
