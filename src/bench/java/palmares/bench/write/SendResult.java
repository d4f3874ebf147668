package palmares.bench.write;

import java.util.Arrays;

/**
 * What became of the events that were sent.
 *
 * @param clientSeconds how much of the processors the sending took, where a process of its own did
 *     it; 0 else
 */
record SendResult(Pace pace, double clientSeconds) {

  /**
   * How fast something was written.
   *
   * @param perSecond how many events a second
   * @param middle what half of all requests took at the most, in milliseconds
   * @param slow what 99 of 100 took at the most
   * @param slowest what 999 of 1,000 took at the most
   */
  record Pace(double perSecond, double middle, double slow, double slowest) {

    /**
     * @param took how long each request took, in nanoseconds; at least one
     * @param nanos how long all of them took together
     */
    static Pace of(long events, long nanos, long[] took) {
      long[] sorted = took.clone();
      Arrays.sort(sorted);
      return new Pace(
          events / (nanos / 1e9), share(sorted, 0.5), share(sorted, 0.99), share(sorted, 0.999));
    }

    private static double share(long[] sorted, double share) {
      return sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e6;
    }
  }
}
