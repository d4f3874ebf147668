package palmares.bench.write;

import java.util.Collection;
import java.util.function.ToDoubleFunction;
import palmares.bench.Figures;
import palmares.bench.Measured;

/**
 * What came out of one way in one run.
 *
 * @param effort what it took of the processors
 * @param seconds how long it took
 */
record Measurement(Sent sent, Effort effort, double seconds) {
  private static final double PERCENT = 100;

  double perSecond() {
    return sent.pace().perSecond();
  }

  /**
   * Tells the medians.
   *
   * @param name of the way, which theirs begin with
   * @param label of the way, in words
   */
  static void tell(Figures figures, String name, String label, Collection<Measurement> all) {
    var told = new Telling(figures, name, label, all);
    told.tell("per_second", "events", Measurement::perSecond, "a second");
    told.tell("p50_ms", "half within", one -> one.sent().pace().middle(), "ms");
    told.tell("p99_ms", "99 % within", one -> one.sent().pace().slow(), "ms");
    told.tell("p999_ms", "99.9 % within", one -> one.sent().pace().slowest(), "ms");
    told.tell("redis_cpu", "Redis", one -> one.share(one.effort().redis()), "% of a core");
    told.tell("server_cpu", "this JVM", one -> one.share(one.effort().server()), "% of a core");
    if (all.stream().anyMatch(one -> one.sent().clientSeconds() > 0)) {
      told.tell(
          "clients_cpu",
          "its clients",
          one -> one.share(one.sent().clientSeconds()),
          "% of a core");
    }
  }

  private double share(double cpuSeconds) {
    return PERCENT * cpuSeconds / seconds;
  }

  private record Telling(Figures figures, String name, String label, Collection<Measurement> all) {
    void tell(String what, String words, ToDoubleFunction<Measurement> value, String unit) {
      figures.tell(
          name + "_" + what,
          label + ": " + words,
          Measured.median(all.stream().mapToDouble(value).boxed().toList()),
          unit);
    }
  }
}
