package palmares.bench.write;

import java.util.Arrays;

/**
 * The result of sending events.
 *
 * @param clientSeconds processor seconds of the load generator; 0 if there is none
 */
record SendResult(Pace pace, double clientSeconds) {

  /**
   * Throughput and latencies.
   *
   * @param perSecond events a second
   * @param middle median latency of requests, in milliseconds
   * @param slow 99th percentile
   * @param slowest 99.9th percentile
   */
  record Pace(double perSecond, double middle, double slow, double slowest) {

    /**
     * @param took nanoseconds of each request; at least one
     * @param nanos elapsed nanoseconds of all requests
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
