package palmares.platform.threads;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;
import palmares.platform.threads.Loop.Scope;

/** Reports the loops of this process as metrics and to health. */
@Component("loopsHealthIndicator")
public class Loops implements HealthIndicator {
  private static final String AGE = "palmares.loop.success.age";

  private final Map<String, Loop> loops = new ConcurrentSkipListMap<>();
  private final MeterRegistry metrics;
  private final LongSupplier nanos;
  private final Outages outages;

  @Autowired
  public Loops(MeterRegistry metrics) {
    this(metrics, System::nanoTime);
  }

  /**
   * @param nanos a monotonic clock, as {@link System#nanoTime}
   */
  Loops(MeterRegistry metrics, LongSupplier nanos) {
    this.metrics = metrics;
    this.nanos = nanos;
    this.outages = new Outages(nanos);
  }

  /**
   * Adds a loop of this process.
   *
   * @param name as log lines, metrics and health name it
   * @param bound how old its last success may become before health names it
   */
  public Loop add(String name, Duration bound) {
    return add(name, bound, Scope.PROCESS);
  }

  /**
   * The loop of that name, whose rounds any process of several may run: health names it only if it
   * fails or hangs in this one.
   */
  public synchronized Loop shared(String name, Duration bound) {
    Loop known = loops.get(name);
    return known == null ? add(name, bound, Scope.CLUSTER) : known;
  }

  private Loop add(String name, Duration bound, Scope scope) {
    var loop = new Loop(name, bound, scope, outages, nanos);
    loops.put(name, loop);
    Gauge.builder(AGE, () -> ageSeconds(name))
        .description("time since the last successful round of a background loop")
        .baseUnit("seconds")
        .tag("loop", name)
        .register(metrics);
    return loop;
  }

  /** Forgets a loop that was stopped. */
  public void remove(String name) {
    loops.remove(name);
    metrics.find(AGE).tag("loop", name).meters().forEach(metrics::remove);
  }

  private double ageSeconds(String name) {
    Loop loop = loops.get(name);
    return loop == null ? Double.NaN : loop.age().toMillis() / 1e3;
  }

  /** The outages of servers that the loops and others notice. */
  public Outages outages() {
    return outages;
  }

  @Override
  public Health health() {
    List<Loop> overdue = loops.values().stream().filter(Loop::isOverdue).toList();
    Health.Builder health = overdue.isEmpty() ? Health.up() : Health.down();
    overdue.forEach(
        loop ->
            health.withDetail(
                loop.name(),
                "no successful round for %d s; at most %d s are usual"
                    .formatted(loop.age().toSeconds(), loop.bound().toSeconds())));
    return health.build();
  }
}
