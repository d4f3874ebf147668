package palmares.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;

/** How long something took, and the middle of several such values. */
public final class Timing {
  private Timing() {}

  /** Work that may fail. */
  public interface Work<E extends Exception> {
    void run() throws E;
  }

  /** How long the work takes. */
  public static <E extends Exception> Duration time(Work<E> work) throws E {
    long start = System.nanoTime();
    work.run();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  public static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /**
   * The middle value; of an even number the mean of the middle two.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static double median(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("the median of nothing");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1
        ? sorted[middle]
        : Arrays.stream(sorted, middle - 1, middle + 1).sum() / 2;
  }
}
