package palmares.operations.monitoring;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.operations.monitoring.ClosingSignals.Credits;
import palmares.operations.monitoring.ClosingSignals.PricedPeriod;
import palmares.operations.monitoring.ClosingSignals.Run;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.payout.Budget;

/**
 * Metrics of closings and of what they pay. Counters count what PostgreSQL has recorded since this
 * process started, whichever process did it.
 */
@Component
class ClosingMetrics implements SignalRound.RefreshedMetrics {
  private static final List<String> OUTCOMES = List.of("settled", "held", "failed", "abandoned");

  /** Longer than the transaction in which a run gets its number. */
  private static final Duration MAX_COMMIT_DELAY = Duration.ofMinutes(2);

  private final ClosingSignals signals;
  private final Catalogue catalogue;
  private final Clock clock;
  private final MeterRegistry metrics;
  private final MultiGauge budget;
  private final Set<Long> countedRuns = new HashSet<>();
  private Set<Long> openRuns = new HashSet<>();
  private Map<PricedPeriod, Cost> costs = new HashMap<>();

  /** The boards whose costs may have changed since they were read. */
  private final Set<String> changed = new HashSet<>();

  private boolean counting;
  private long lastRun;
  private long lastPosted;

  ClosingMetrics(ClosingSignals signals, Catalogue catalogue, Clock clock, MeterRegistry metrics) {
    this.signals = signals;
    this.catalogue = catalogue;
    this.clock = clock;
    this.metrics = metrics;
    budget =
        MultiGauge.builder("palmares.budget.used")
            .description("greatest share of the budget that a held period takes, else the last one")
            .register(metrics);
  }

  /** Says what a period costs, alone and with the others of its month. */
  private record Cost(List<Credits> own, List<Credits> others) {}

  @Override
  public void refresh() {
    showCounters();
    long posted = signals.lastPosted();
    if (counting) {
      changed.addAll(signals.posted(lastPosted, posted));
      countRuns();
      countCredits(posted);
    } else {
      beginToCount();
    }
    counting = true;
    lastPosted = posted;
    refreshBudgets();
    changed.clear();
  }

  /** A counter that appears with its first increment would hide it from Prometheus. */
  private void showCounters() {
    for (Board board : catalogue.all()) {
      OUTCOMES.forEach(outcome -> closings(board.id().value(), outcome));
      board.payout().rules().forEach(rule -> creditsPaid(board.id().value(), rule.currency()));
    }
  }

  private Timer closings(String board, String outcome) {
    return metrics.timer("palmares.closings", "board", board, "outcome", outcome);
  }

  private Counter creditsPaid(String board, String currency) {
    return metrics.counter("palmares.credits.paid", "board", board, "currency", currency);
  }

  private void beginToCount() {
    lastRun = signals.lastRunBefore(clock.instant().minus(MAX_COMMIT_DELAY));
    openRuns.addAll(signals.runningRuns());
    for (Run run : signals.runs(lastRun, openRuns)) {
      if (!run.goesOn()) {
        countedRuns.add(run.id());
      }
    }
  }

  /**
   * A run may commit after one with a higher number. So the runs of the last minutes are read
   * again, and those that go on are read until they end.
   */
  private void countRuns() {
    long upTo = signals.lastRunBefore(clock.instant().minus(MAX_COMMIT_DELAY));
    var open = new HashSet<Long>();
    for (Run run : signals.runs(lastRun, openRuns)) {
      if (run.goesOn()) {
        open.add(run.id());
      } else if (countedRuns.add(run.id())) {
        closings(run.board(), run.outcome()).record(Duration.ofNanos((long) (run.seconds() * 1e9)));
      }
    }
    openRuns = open;
    lastRun = Math.max(lastRun, upTo);
    countedRuns.removeIf(run -> run <= lastRun);
  }

  private void countCredits(long posted) {
    for (Credits paid : signals.paid(lastPosted, posted)) {
      creditsPaid(paid.board(), paid.currency()).increment(paid.credits());
    }
  }

  /** Reads a cost once for each period, and again after a posting of its board. */
  private void refreshBudgets() {
    var read = new HashMap<PricedPeriod, Cost>();
    var shares = new HashMap<Tags, Double>();
    for (Board board : catalogue.all()) {
      if (!board.payout().budgets().isEmpty()) {
        for (PricedPeriod period : signals.pricedPeriods(board.id())) {
          Cost known = changed.contains(board.id().value()) ? null : costs.get(period);
          Cost cost = known == null ? cost(board, period) : known;
          read.put(period, cost);
          addShares(shares, board, cost);
        }
      }
    }
    costs = read;
    budget.register(
        shares.entrySet().stream()
            .<Row<?>>map(share -> Row.of(share.getKey(), share.getValue()))
            .toList(),
        true);
  }

  private Cost cost(Board board, PricedPeriod period) {
    boolean byMonth =
        board.payout().budgets().values().stream().anyMatch(budget -> budget.month() != null);
    return new Cost(
        signals.cost(board.id(), period),
        byMonth ? signals.costOfMonthsOthers(board.id(), period, board.zone()) : List.of());
  }

  private static void addShares(Map<Tags, Double> shares, Board board, Cost cost) {
    for (Map.Entry<String, Budget> of : board.payout().budgets().entrySet()) {
      String currency = of.getKey();
      double own = credits(cost.own(), currency);
      add(shares, board, currency, "period", own, of.getValue().period());
      double month = own + credits(cost.others(), currency);
      add(shares, board, currency, "month", month, of.getValue().month());
    }
  }

  private static double credits(List<Credits> all, String currency) {
    return all.stream()
        .filter(credits -> credits.currency().equals(currency))
        .mapToDouble(Credits::credits)
        .sum();
  }

  private static void add(
      Map<Tags, Double> shares,
      Board board,
      String currency,
      String name,
      double credits,
      @Nullable Long most) {
    if (most != null) {
      Tags tags = Tags.of("board", board.id().value(), "currency", currency, "budget", name);
      shares.merge(tags, credits / most, Math::max);
    }
  }
}
