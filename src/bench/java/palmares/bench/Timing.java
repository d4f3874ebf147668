package palmares.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;

/** Measures durations and computes medians. */
public final class Timing {
  private Timing() {}

  /** Work that may fail. */
  public interface Work<E extends Exception> {
    void run() throws E;
  }

  /** Runs the work and measures its duration. */
  public static <E extends Exception> Duration time(Work<E> work) throws E {
    long start = System.nanoTime();
    work.run();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  public static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /**
   * The median; of an even number of values, the mean of the middle two.
   *
   * @throws IllegalArgumentException if there are no values
   */
  public static double median(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("median of no values");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1
        ? sorted[middle]
        : Arrays.stream(sorted, middle - 1, middle + 1).sum() / 2;
  }
}
