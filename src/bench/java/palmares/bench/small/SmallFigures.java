package palmares.bench.small;

import java.util.List;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.Measured;
import palmares.bench.small.SmallBench.SmallRun;

/**
 * What the runs have read: of each figure the median.
 *
 * @param periods how many closed in each run
 */
record SmallFigures(int periods, List<SmallRun> runs) {
  private static final double KILOBYTE = 1e3;

  Figures all() {
    var figures =
        new Figures()
            .hold(
                "small_per_second",
                "small periods closed a second",
                median(run -> periods / run.seconds()),
                Aim.atLeast(60));
    tell(figures, "small_seconds", "all of them", "s", SmallRun::seconds);
    tell(figures, "small_ms", "one of them, on its worker", "ms", run -> run.each().milliseconds());
    tell(figures, "small_work_share", "  work, not bookkeeping", "", run -> run.each().work());
    var steps = new TreeSet<String>();
    runs.forEach(run -> steps.addAll(run.each().steps().keySet()));
    for (String step : steps) {
      tell(figures, "small_" + step + "_ms", "  " + step, "ms", run -> run.each().step(step));
    }
    tell(
        figures,
        "small_transactions",
        "  transactions that write",
        "",
        run -> run.each().transactions());
    tell(
        figures,
        "small_wal_kb",
        "  write-ahead log",
        "kB",
        run -> run.each().walBytes() / KILOBYTE);
    return figures;
  }

  private void tell(
      Figures figures, String name, String label, String unit, ToDoubleFunction<SmallRun> value) {
    figures.tell(name, label, median(value), unit);
  }

  private double median(ToDoubleFunction<SmallRun> value) {
    return Measured.median(runs.stream().map(value::applyAsDouble).toList());
  }
}
