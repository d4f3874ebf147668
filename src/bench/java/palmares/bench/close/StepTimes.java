package palmares.bench.close;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** How long each step takes of a closing that tells them as they begin. */
final class StepTimes implements Consumer<String> {
  private final Map<String, Long> nanos = new LinkedHashMap<>();
  private String step = "begin";
  private long since = System.nanoTime();

  /** The step before is over, and this one begins. */
  @Override
  public void accept(String next) {
    long now = System.nanoTime();
    nanos.merge(step, now - since, Long::sum);
    step = next;
    since = now;
  }

  /** The last step is over. */
  void stop() {
    accept("end");
  }

  /** Of all steps together. */
  double seconds() {
    return nanos.values().stream().mapToLong(Long::longValue).sum() / 1e9;
  }

  /** By the steps' names, in their order; what comes before the first is {@code begin}. */
  Map<String, Double> secondsByStep() {
    var seconds = new LinkedHashMap<String, Double>();
    nanos.forEach((name, time) -> seconds.put(name, time / 1e9));
    return seconds;
  }
}
