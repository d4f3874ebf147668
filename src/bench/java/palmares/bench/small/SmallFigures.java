package palmares.bench.small;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.Timing;

/**
 * The figures of {@code small}: medians over the runs.
 *
 * @param periods number of periods that close in a run
 */
record SmallFigures(int periods, List<SmallRun> runs) {
  private static final double KILOBYTE = 1e3;

  Figures all() {
    var figures =
        new Figures()
            .addWithAim(
                "small_per_second",
                "small periods closed a second",
                median(run -> periods / run.seconds()),
                Aim.atLeast(40));
    add(figures, "small_seconds", "all of them", "s", SmallRun::seconds);
    add(figures, "small_ms", "one of them, on its worker", "ms", run -> run.each().milliseconds());
    add(figures, "small_work_share", "  work, not bookkeeping", "", run -> run.each().work());
    var steps = new TreeSet<String>();
    runs.forEach(run -> steps.addAll(run.each().steps().keySet()));
    for (String step : steps) {
      add(figures, "small_" + step + "_ms", "  " + step, "ms", run -> run.each().step(step));
    }
    add(
        figures,
        "small_transactions",
        "  transactions that write",
        "",
        run -> run.each().transactions());
    add(
        figures,
        "small_wal_kb",
        "  write-ahead log",
        "kB",
        run -> run.each().walBytes() / KILOBYTE);
    return figures;
  }

  private void add(
      Figures figures, String name, String label, String unit, ToDoubleFunction<SmallRun> value) {
    figures.add(name, label, median(value), unit);
  }

  private double median(ToDoubleFunction<SmallRun> value) {
    return Timing.median(runs.stream().map(value::applyAsDouble).toList());
  }

  /**
   * The costs of closings.
   *
   * @param milliseconds time of all closings
   * @param steps milliseconds of each step's work, by name
   * @param transactions number of writing transactions
   * @param walBytes bytes of write-ahead log
   */
  record ClosingCosts(
      double milliseconds, Map<String, Double> steps, double transactions, double walBytes) {

    /** Reads the costs since the application and its servers started. */
    static ClosingCosts read(MeterRegistry metrics, JdbcClient jdbc) {
      var steps = new TreeMap<String, Double>();
      for (Timer step : metrics.find("palmares.closing.step").timers()) {
        steps.put("" + step.getId().getTag("step"), step.totalTime(TimeUnit.MILLISECONDS));
      }
      double whole = metrics.timer("palmares.closing").totalTime(TimeUnit.MILLISECONDS);
      return jdbc.sql(
              """
              select
                pg_snapshot_xmax(pg_current_snapshot())::text::bigint as transactions,
                (pg_current_wal_lsn() - '0/0')::bigint as wal
              """)
          .query((row, n) -> new ClosingCosts(whole, steps, row.getLong(1), row.getLong(2)))
          .single();
    }

    /** The mean costs of a closing since an earlier reading. */
    ClosingCosts since(ClosingCosts earlier, int closings) {
      var each = new TreeMap<String, Double>();
      steps.forEach(
          (step, time) ->
              each.put(step, (time - earlier.steps.getOrDefault(step, 0.0)) / closings));
      return new ClosingCosts(
          (milliseconds - earlier.milliseconds) / closings,
          each,
          (transactions - earlier.transactions) / closings,
          (walBytes - earlier.walBytes) / closings);
    }

    double step(String name) {
      return steps.getOrDefault(name, 0.0);
    }

    /** Share of the time that is the steps' work, from 0 to 1; the rest is bookkeeping. */
    double work() {
      return steps.values().stream().mapToDouble(Double::doubleValue).sum() / milliseconds;
    }
  }

  /**
   * The readings of a run.
   *
   * @param each mean costs of a closing
   */
  record SmallRun(double seconds, ClosingCosts each) {}
}
