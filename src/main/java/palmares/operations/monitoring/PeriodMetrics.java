package palmares.operations.monitoring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.operations.monitoring.Attention.Kind;
import palmares.operations.monitoring.PeriodSignals.LeaseAge;
import palmares.operations.monitoring.PeriodSignals.Overrun;
import palmares.operations.monitoring.PeriodSignals.Progress;
import palmares.operations.report.ClosingForecast;
import palmares.operations.report.ClosingForecast.Late;
import palmares.operations.report.ClosingForecast.Usual;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;

/** Metrics of the periods that are not settled. */
@Component
class PeriodMetrics implements SignalRound.RefreshedMetrics {
  private final PeriodSignals signals;
  private final ClosingForecast forecast;
  private final Catalogue catalogue;
  private final MeterRegistry metrics;
  private final MultiGauge periods;
  private final MultiGauge overdue;
  private final MultiGauge failed;
  private final MultiGauge held;
  private final MultiGauge paused;
  private final MultiGauge expected;
  private final MultiGauge late;
  private final MultiGauge leases;
  private final MultiGauge overrun;
  private final MultiGauge done;
  private final MultiGauge total;
  private final MultiGauge rate;
  private final MultiGauge left;

  PeriodMetrics(
      PeriodSignals signals, ClosingForecast forecast, Catalogue catalogue, MeterRegistry metrics) {
    this.signals = signals;
    this.forecast = forecast;
    this.catalogue = catalogue;
    this.metrics = metrics;
    periods = gauge("palmares.periods", null, "periods that are not settled, by state");
    overdue = gauge("palmares.period.overdue.age", "seconds", "age of the oldest overdue period");
    failed = gauge("palmares.period.failed", null, "due periods whose last closing failed");
    held = gauge("palmares.period.held.age", "seconds", "longest time that a period is held");
    paused =
        gauge("palmares.period.paused.age", "seconds", "how long a paused board keeps one due");
    expected = gauge("palmares.closing.expected", "seconds", "usual duration of a closing");
    late = gauge("palmares.closing.slow", null, "running closings that take unusually long");
    leases = gauge("palmares.lease.age", "seconds", "how long a closing has held its lease");
    overrun = gauge("palmares.lease.overrun", "seconds", "time since an abandoned lease expired");
    done = gauge("palmares.closing.progress.done", "units", "what the present step has done");
    total = gauge("palmares.closing.progress.total", "units", "what the present step has to do");
    rate = gauge("palmares.closing.progress.rate", null, "units a second of the present step");
    left = gauge("palmares.closing.progress.left", "seconds", "time that the present step needs");
  }

  private MultiGauge gauge(String name, @Nullable String unit, String description) {
    return MultiGauge.builder(name).baseUnit(unit).description(description).register(metrics);
  }

  @Override
  public void refresh() {
    periods.register(
        signals.states().stream()
            .<Row<?>>map(
                count -> Row.of(tags(count.board()).and("state", count.state()), count.periods()))
            .toList(),
        true);
    List<Attention> attention = signals.attention();
    byBoard(overdue, longest(attention, Kind.OVERDUE));
    byBoard(
        failed,
        attention.stream()
            .filter(period -> period.kind() == Kind.FAILED)
            .collect(Collectors.toMap(Attention::board, period -> 1.0, Double::sum)));
    byBoard(held, longest(attention, Kind.HELD));
    byBoard(paused, longest(attention, Kind.PAUSED));
    List<BoardId> boards = catalogue.all().stream().map(Board::id).toList();
    byBoard(
        expected,
        forecast.usual(boards).stream().collect(Collectors.toMap(Usual::board, Usual::seconds)));
    byBoard(
        late,
        forecast.late(boards).stream()
            .collect(Collectors.toMap(Late::board, closing -> 1.0, Double::sum)));
    byBoard(
        leases,
        signals.leases().stream().collect(Collectors.toMap(LeaseAge::board, LeaseAge::seconds)));
    byBoard(
        overrun,
        signals.overruns().stream().collect(Collectors.toMap(Overrun::board, Overrun::seconds)));
    refreshProgress();
  }

  /** Rows for running closings only, as the step is known of no other. */
  private void refreshProgress() {
    List<Progress> running = signals.progress();
    byStep(done, running, progress -> (double) progress.done());
    byStep(total, running, progress -> progress.total() == null ? null : progress.total() * 1.0);
    byStep(rate, running, Progress::perSecond);
    byStep(left, running, Progress::secondsLeft);
  }

  private static void byStep(
      MultiGauge gauge, List<Progress> running, Function<Progress, @Nullable Double> value) {
    var rows = new ArrayList<Row<?>>();
    for (Progress progress : running) {
      Double known = value.apply(progress);
      if (known != null) {
        Tags tags = tags(progress.board()).and("step", progress.step(), "unit", progress.unit());
        rows.add(Row.of(tags, known));
      }
    }
    gauge.register(rows, true);
  }

  private static Map<String, Double> longest(List<Attention> attention, Kind kind) {
    return attention.stream()
        .filter(period -> period.kind() == kind)
        .collect(
            Collectors.toMap(
                Attention::board, period -> period.age().toMillis() / 1e3, Double::max));
  }

  /** A row for every board, 0 if nothing is wrong, so that a rule can tell 0 from unknown. */
  private void byBoard(MultiGauge gauge, Map<String, Double> values) {
    var boards = new TreeMap<>(values);
    catalogue.all().forEach(board -> boards.putIfAbsent(board.id().value(), 0.0));
    gauge.register(
        boards.entrySet().stream()
            .<Row<?>>map(board -> Row.of(tags(board.getKey()), board.getValue()))
            .toList(),
        true);
  }

  private static Tags tags(String board) {
    return Tags.of("board", board);
  }
}
