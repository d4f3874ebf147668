package palmares.operations.signals;

import static java.util.stream.Collectors.groupingBy;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.operations.signals.Attention.Kind;
import palmares.operations.signals.PeriodSignals.EndedRun;
import palmares.operations.signals.PeriodSignals.Paid;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import palmares.rules.payout.Budget;

/**
 * Metrics of periods and closings. Gauges show what PostgreSQL holds. Counters count what it
 * recorded since this process started, whichever process did it.
 */
@Component
class PeriodMetrics {
  private static final long REFRESH_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

  private final PeriodSignals signals;
  private final Catalogue catalogue;
  private final MeterRegistry metrics;
  private final MultiGauge periods;
  private final MultiGauge overdue;
  private final MultiGauge failed;
  private final MultiGauge held;
  private final MultiGauge overrun;
  private final MultiGauge budget;
  private final Map<Tags, Double> budgetUsed = new HashMap<>();
  private final Set<Long> countedRuns = new HashSet<>();
  private volatile double sweepAge = Double.NaN;
  private volatile double schedulers = Double.NaN;
  private boolean counting;
  private long lastRun;
  private long lastPosted;
  private long refreshedAt = System.nanoTime() - REFRESH_INTERVAL_NANOS;

  PeriodMetrics(PeriodSignals signals, Catalogue catalogue, MeterRegistry metrics) {
    this.signals = signals;
    this.catalogue = catalogue;
    this.metrics = metrics;
    periods = gauge("palmares.periods", null, "periods by board and state");
    overdue = gauge("palmares.period.overdue.age", "seconds", "age of the oldest overdue period");
    failed = gauge("palmares.period.failed", null, "due periods whose last closing failed");
    held = gauge("palmares.period.held.age", "seconds", "longest wait of a period for a person");
    overrun = gauge("palmares.lease.overrun", "seconds", "time since an abandoned lease expired");
    budget = gauge("palmares.budget.used", null, "share of the budget that the last period paid");
    Gauge.builder("palmares.sweep.age", () -> sweepAge)
        .description("time since any scheduler's last sweep began")
        .baseUnit("seconds")
        .register(metrics);
    Gauge.builder("palmares.schedulers", () -> schedulers)
        .description("schedulers that checked in within the last minute")
        .register(metrics);
  }

  private MultiGauge gauge(String name, @Nullable String unit, String description) {
    return MultiGauge.builder(name).baseUnit(unit).description(description).register(metrics);
  }

  /** Refreshes the metrics if they are older than ten seconds. */
  void refreshIfStale() {
    if (System.nanoTime() - refreshedAt >= REFRESH_INTERVAL_NANOS) {
      refresh();
      refreshedAt = System.nanoTime();
    }
  }

  /** Reads all from PostgreSQL. */
  synchronized void refresh() {
    sweepAge = signals.sweepAgeSeconds();
    schedulers = signals.schedulers();
    periods.register(
        signals.states().stream()
            .map(count -> Row.of(tags(count.board()).and("state", count.state()), count.periods()))
            .toList(),
        true);
    List<Attention> attention = signals.attention();
    byBoard(overdue, attention, Kind.OVERDUE, PeriodMetrics::longestSeconds);
    byBoard(failed, attention, Kind.FAILED, List::size);
    byBoard(held, attention, Kind.HELD, PeriodMetrics::longestSeconds);
    overrun.register(
        signals.overruns().stream()
            .map(lease -> Row.of(tags(lease.board()), lease.seconds()))
            .toList(),
        true);
    if (counting) {
      countRuns();
      countCredits();
    } else {
      beginToCount();
      counting = true;
    }
  }

  /** A row for every board, 0 if nothing is wrong, so that a rule can tell 0 from unknown. */
  private void byBoard(
      MultiGauge gauge,
      List<Attention> attention,
      Kind kind,
      ToDoubleFunction<List<Attention>> value) {
    Map<String, List<Attention>> boards =
        attention.stream()
            .filter(period -> period.kind() == kind)
            .collect(groupingBy(Attention::board));
    catalogue.all().forEach(board -> boards.putIfAbsent(board.id().value(), List.of()));
    var rows = new ArrayList<Row<?>>();
    boards.forEach((board, periods) -> rows.add(Row.of(tags(board), value.applyAsDouble(periods))));
    gauge.register(rows, true);
  }

  private static double longestSeconds(List<Attention> periods) {
    return periods.stream().mapToDouble(period -> period.age().toMillis() / 1e3).max().orElse(0);
  }

  private void beginToCount() {
    lastPosted = signals.lastPosted();
    lastRun = signals.firstRunThatGoesOn() - 1;
    signals.runsSince(lastRun).forEach(run -> countedRuns.add(run.id()));
  }

  private void countRuns() {
    long goesOn = signals.firstRunThatGoesOn();
    for (EndedRun run : signals.runsSince(lastRun)) {
      if (countedRuns.add(run.id())) {
        metrics
            .timer("palmares.closings", tags(run.board()).and("outcome", run.outcome()))
            .record(Duration.ofNanos((long) (run.seconds() * 1e9)));
      }
    }
    lastRun = goesOn - 1;
    countedRuns.removeIf(run -> run <= lastRun);
  }

  private void countCredits() {
    long last = signals.lastPosted();
    for (Paid paid : signals.paid(lastPosted, last)) {
      Tags tags = tags(paid.board()).and("currency", paid.currency());
      metrics.counter("palmares.credits.paid", tags).increment(paid.credits());
      catalogue
          .find(new BoardId(paid.board()))
          .map(Board::payout)
          .map(payout -> payout.budgets().get(paid.currency()))
          .map(Budget::period)
          .ifPresent(most -> budgetUsed.put(tags, (double) paid.credits() / most));
    }
    lastPosted = last;
    budget.register(
        budgetUsed.entrySet().stream()
            .<Row<?>>map(used -> Row.of(used.getKey(), used.getValue()))
            .toList(),
        true);
  }

  private static Tags tags(String board) {
    return Tags.of("board", board);
  }
}
