package palmares.operations.signals;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.operations.signals.ClosingSignals.Credits;
import palmares.operations.signals.ClosingSignals.LastPeriod;
import palmares.operations.signals.ClosingSignals.Run;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import palmares.rules.payout.Budget;

/**
 * Metrics of closings and of what they pay. Counters count what PostgreSQL has recorded since this
 * process started, whichever process did it.
 */
@Component
class ClosingMetrics implements SignalRound.RefreshedMetrics {
  private static final List<String> OUTCOMES = List.of("settled", "held", "failed", "abandoned");

  /** Longer than the transaction in which a run gets its number. */
  private static final Duration LATEST_COMMIT = Duration.ofMinutes(2);

  private final ClosingSignals signals;
  private final Catalogue catalogue;
  private final Clock clock;
  private final MeterRegistry metrics;
  private final MultiGauge budget;
  private final Set<Long> countedRuns = new HashSet<>();
  private Set<Long> openRuns = new HashSet<>();
  private final Map<BoardId, Cost> costs = new HashMap<>();
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
            .description("share of the budget that the last period pays, or would if approved")
            .register(metrics);
  }

  /** What the last period of a board costs, alone and with the others of its month. */
  private record Cost(LastPeriod period, List<Credits> own, List<Credits> others) {}

  @Override
  public void refresh() {
    showCounters();
    long posted = signals.lastPosted();
    boolean changed = !counting || posted > lastPosted;
    if (counting) {
      countRuns();
      countCredits(posted);
    } else {
      beginToCount();
    }
    counting = true;
    lastPosted = posted;
    refreshBudgets(changed);
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
    lastRun = signals.lastRunBefore(clock.instant().minus(LATEST_COMMIT));
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
    long upTo = signals.lastRunBefore(clock.instant().minus(LATEST_COMMIT));
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

  /** Reads a cost once for each period, and again after a posting, which may have amended it. */
  private void refreshBudgets(boolean changed) {
    var rows = new ArrayList<Row<?>>();
    for (Board board : catalogue.all()) {
      if (!board.payout().budgets().isEmpty()) {
        Optional<LastPeriod> last = signals.lastPeriod(board.id());
        last.ifPresent(period -> rows.addAll(shares(board, cost(board, period, changed))));
      }
    }
    budget.register(rows, true);
  }

  private Cost cost(Board board, LastPeriod period, boolean changed) {
    Cost known = costs.get(board.id());
    if (known != null && !changed && known.period().equals(period)) {
      return known;
    }
    var cost =
        new Cost(
            period,
            signals.cost(board.id(), period),
            signals.costOfMonthsOthers(board.id(), period, board.zone()));
    costs.put(board.id(), cost);
    return cost;
  }

  private static List<Row<?>> shares(Board board, Cost cost) {
    var rows = new ArrayList<Row<?>>();
    for (Map.Entry<String, Budget> of : board.payout().budgets().entrySet()) {
      String currency = of.getKey();
      double own = credits(cost.own(), currency);
      add(rows, board, currency, "period", own, of.getValue().period());
      double month = own + credits(cost.others(), currency);
      add(rows, board, currency, "month", month, of.getValue().month());
    }
    return rows;
  }

  private static double credits(List<Credits> all, String currency) {
    return all.stream()
        .filter(credits -> credits.currency().equals(currency))
        .mapToDouble(Credits::credits)
        .sum();
  }

  private static void add(
      List<Row<?>> rows,
      Board board,
      String currency,
      String name,
      double credits,
      @Nullable Long most) {
    if (most != null) {
      Tags tags = Tags.of("board", board.id().value(), "currency", currency, "budget", name);
      rows.add(Row.of(tags, credits / most));
    }
  }
}
