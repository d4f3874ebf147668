package palmares.bench.small;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.Measured;

/** Measures how small periods close, run by run. */
public final class SmallRuns {
  private static final double KILOBYTE = 1e3;

  private final int periods;
  private final MeterRegistry metrics;
  private final JdbcClient jdbc;
  private final List<Run> runs = new ArrayList<>();

  /**
   * @param periods how many close in a run
   */
  public SmallRuns(int periods, MeterRegistry metrics, JdbcClient jdbc) {
    this.periods = periods;
    this.metrics = metrics;
    this.jdbc = jdbc;
  }

  /** How long a run took, and what each of its closings did. */
  private record Run(double seconds, Toll toll) {}

  /** Measures one more run: all its periods are due, and settled in the end. */
  public void measure(Runnable closing) {
    Toll before = Toll.read(metrics, jdbc);
    double seconds = Measured.seconds(Measured.time(closing::run));
    runs.add(new Run(seconds, Toll.read(metrics, jdbc).since(before, periods)));
  }

  /** The medians of all runs. */
  public Figures figures() {
    var figures =
        new Figures()
            .hold(
                "small_per_second",
                "small periods closed a second",
                median(run -> periods / run.seconds()),
                Aim.atLeast(20))
            .tell("small_seconds", "all of them", median(Run::seconds), "s")
            .tell("small_ms", "one, on its worker", median(run -> run.toll().milliseconds()), "ms")
            .tell("small_work_share", "of it the work itself", median(run -> run.toll().work()), "")
            .tell(
                "small_transactions",
                "transactions that write, each",
                median(run -> run.toll().transactions()),
                "")
            .tell(
                "small_wal_kb",
                "write-ahead log, each",
                median(run -> run.toll().walBytes() / KILOBYTE),
                "kB");
    var steps = new TreeSet<String>();
    runs.forEach(run -> steps.addAll(run.toll().steps().keySet()));
    for (String step : steps) {
      figures.tell("small_" + step + "_ms", "work of the step " + step, step(step), "ms");
    }
    return figures;
  }

  private double step(String name) {
    return median(run -> run.toll().steps().getOrDefault(name, 0.0));
  }

  private double median(ToDoubleFunction<Run> value) {
    return Measured.median(runs.stream().map(value::applyAsDouble).toList());
  }
}
