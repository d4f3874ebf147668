package palmares.platform.threads;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;
import palmares.platform.text.Setting;
import palmares.platform.text.Texts;
import palmares.platform.threads.Loop.Scope;

/** Reports the loops of this process as metrics and in the health check. */
@Component("loopsHealthIndicator")
@EnableConfigurationProperties(Loops.Settings.class)
public class Loops implements HealthIndicator {
  private static final String AGE_METRIC = "palmares.loop.success.age";

  private final Map<String, Loop> loops = new ConcurrentSkipListMap<>();
  private final MeterRegistry metrics;
  private final LongSupplier nanos;
  private final Outages outages;
  private final Settings settings;

  @Autowired
  public Loops(MeterRegistry metrics, Settings settings) {
    this(metrics, settings, System::nanoTime);
  }

  /**
   * Settings of the background loops.
   *
   * @param answerTimeout how long a round waits for each answer of PostgreSQL, so that a server
   *     that neither answers nor hangs up is noticed; at least 100 ms. It is doubled after each
   *     round in a row that has waited in vain, up to 15 minutes. Closings, batches and what
   *     schedulers do in turn, such as the sweep, have no bound
   */
  @ConfigurationProperties("palmares.loops")
  public record Settings(@DefaultValue("30s") Duration answerTimeout) {
    public Settings {
      new Setting("palmares.loops.answer-timeout")
          .requireAtLeast(Duration.ofMillis(100), answerTimeout);
    }
  }

  /**
   * @param nanos a monotonic clock, as {@link System#nanoTime}
   */
  Loops(MeterRegistry metrics, Settings settings, LongSupplier nanos) {
    this.metrics = metrics;
    this.settings = settings;
    this.nanos = nanos;
    this.outages = new Outages(nanos);
  }

  /**
   * Adds a loop of this process.
   *
   * @param name of the loop in log lines, metrics and health
   * @param maxSuccessAge the age of the last success above which the loop is unhealthy
   */
  public Loop add(String name, Duration maxSuccessAge) {
    return add(name, maxSuccessAge, Scope.PROCESS, settings.answerTimeout());
  }

  /** Adds a loop of this process whose statements may take as long as they need. */
  Loop addPatient(String name, Duration maxSuccessAge) {
    return add(name, maxSuccessAge, Scope.PROCESS, null);
  }

  /**
   * Returns the loop of that name, whose rounds any process of a cluster may run. It is unhealthy
   * only if it fails or hangs in this process.
   */
  public synchronized Loop shared(String name, Duration maxSuccessAge) {
    Loop known = loops.get(name);
    return known == null ? add(name, maxSuccessAge, Scope.CLUSTER, null) : known;
  }

  private Loop add(
      String name, Duration maxSuccessAge, Scope scope, @Nullable Duration answerTimeout) {
    var loop = new Loop(name, maxSuccessAge, scope, answerTimeout, outages, nanos);
    loops.put(name, loop);
    Gauge.builder(AGE_METRIC, () -> ageSeconds(name))
        .description("time since the last successful round of a background loop")
        .baseUnit("seconds")
        .tag("loop", name)
        .register(metrics);
    return loop;
  }

  /** Removes a stopped loop from metrics and health. */
  public void remove(String name) {
    loops.remove(name);
    metrics.find(AGE_METRIC).tag("loop", name).meters().forEach(metrics::remove);
  }

  private double ageSeconds(String name) {
    Loop loop = loops.get(name);
    return loop == null ? Double.NaN : loop.age().toMillis() / 1e3;
  }

  /** The outages of servers that loops and requests have met. */
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
                Texts.here()
                    .of(
                        new HealthSentences.NoRound(
                            loop.age().toSeconds(), loop.maxSuccessAge().toSeconds()))));
    return health.build();
  }
}
