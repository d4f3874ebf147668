package palmares.operations.monitoring;

import static java.util.Objects.requireNonNullElse;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.platform.nodes.Nodes;
import palmares.settlement.outbox.Deliveries;
import palmares.settlement.outbox.Deliveries.DeliveryStatus;
import palmares.settlement.outbox.Deliveries.FailingTarget;
import palmares.settlement.schedule.NightlyVerification;
import palmares.settlement.schedule.NightlyVerification.NightlyResult;

/** Metrics of the whole installation: servers, sweeps, the nightly verification, the outbox. */
@Component
class InstallationMetrics implements SignalRound.RefreshedMetrics {
  /** All undelivered facts are read to count them. */
  private static final long COUNT_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

  private final Nodes nodes;
  private final NightlyVerification nightly;
  private final Deliveries deliveries;
  private final PeriodSignals signals;
  private final Clock clock;
  private final MultiGauge running;
  private final MultiGauge waiting;
  private final MultiGauge failing;
  private final MultiGauge lag;
  private volatile @Nullable Instant sweptAt;
  private volatile @Nullable NightlyResult night;
  private long countedAt = System.nanoTime() - COUNT_INTERVAL_NANOS;

  InstallationMetrics(
      Nodes nodes,
      NightlyVerification nightly,
      Deliveries deliveries,
      PeriodSignals signals,
      Clock clock,
      MeterRegistry metrics) {
    this.nodes = nodes;
    this.nightly = nightly;
    this.deliveries = deliveries;
    this.signals = signals;
    this.clock = clock;
    running =
        MultiGauge.builder("palmares.nodes")
            .description("servers that run, by role")
            .register(metrics);
    waiting = outbox("waiting", "facts", "facts that the target has not received yet", metrics);
    failing =
        outbox("failing", "seconds", "how long deliveries to the target have failed", metrics);
    lag = outbox("lag", "seconds", "how long the target has waited for its oldest fact", metrics);
    Gauge.builder("palmares.sweep.age", this::sweepAgeSeconds)
        .description("time since the last sweep of any scheduler ended without a failure")
        .baseUnit("seconds")
        .register(metrics);
    registerNightly(metrics);
  }

  private static MultiGauge outbox(
      String name, String unit, String description, MeterRegistry metrics) {
    return MultiGauge.builder("palmares.outbox." + name)
        .baseUnit(unit)
        .description(description)
        .register(metrics);
  }

  private void registerNightly(MeterRegistry metrics) {
    nightly(
        "differences",
        null,
        "found by the last nightly verification",
        metrics,
        NightlyResult::differences);
    nightly(
        "periods",
        null,
        "verified by the last nightly verification",
        metrics,
        NightlyResult::periods);
    nightly(
        "age",
        "seconds",
        "time since the last nightly verification ended",
        metrics,
        result -> seconds(result.endedAt(), clock.instant()));
    nightly(
        "duration",
        "seconds",
        "of the last nightly verification",
        metrics,
        result -> seconds(result.startedAt(), result.endedAt()));
  }

  private void nightly(
      String name,
      @Nullable String unit,
      String description,
      MeterRegistry metrics,
      ToDoubleFunction<NightlyResult> value) {
    Gauge.builder(
            "palmares.verify." + name,
            () -> {
              NightlyResult result = night;
              return result == null ? Double.NaN : value.applyAsDouble(result);
            })
        .description(description)
        .baseUnit(unit)
        .register(metrics);
  }

  /** The age grows until the next scrape, so that it is right even if nothing refreshes it. */
  private double sweepAgeSeconds() {
    Instant ended = sweptAt;
    return ended == null ? Double.NaN : seconds(ended, clock.instant());
  }

  /** Reads what depends on heartbeats, and waits for no other table. */
  void refreshNodes() {
    sweptAt = nodes.sweptAt().orElse(null);
    running.register(
        nodes.running().entrySet().stream()
            .<Row<?>>map(role -> Row.of(Tags.of("role", role.getKey()), role.getValue()))
            .toList(),
        true);
  }

  @Override
  public void refresh() {
    night = nightly.last().orElse(null);
    List<FailingTarget> targets = deliveries.failing();
    Instant now = clock.instant();
    byTarget(failing, targets, FailingTarget::name, target -> seconds(target.since(), now));
    byTarget(
        lag,
        targets,
        FailingTarget::name,
        target -> seconds(signals.undeliveredSince(target.name()), now));
    if (System.nanoTime() - countedAt >= COUNT_INTERVAL_NANOS) {
      byTarget(waiting, deliveries.all(), DeliveryStatus::name, DeliveryStatus::waiting);
      countedAt = System.nanoTime();
    }
  }

  private static <T> void byTarget(
      MultiGauge gauge, List<T> targets, Function<T, String> name, ToDoubleFunction<T> value) {
    gauge.register(
        targets.stream()
            .<Row<?>>map(
                target ->
                    Row.of(Tags.of("target", name.apply(target)), value.applyAsDouble(target)))
            .toList(),
        true);
  }

  /** 0 if it did not begin. */
  private static double seconds(@Nullable Instant since, Instant until) {
    return Duration.between(requireNonNullElse(since, until), until).toMillis() / 1e3;
  }
}
