package palmares.bench.small;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What closings have taken.
 *
 * @param milliseconds of those who ran them, added up
 * @param steps the milliseconds of it that the work of each step took, by name
 * @param transactions that wrote anything
 * @param walBytes that they added to the write-ahead log
 */
record Toll(double milliseconds, Map<String, Double> steps, double transactions, double walBytes) {

  /** Since the application, and its servers, began. */
  static Toll read(MeterRegistry metrics, JdbcClient jdbc) {
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
        .query((row, n) -> new Toll(whole, steps, row.getLong(1), row.getLong(2)))
        .single();
  }

  /** What was taken after the earlier reading, for each of so many closings. */
  Toll since(Toll earlier, int closings) {
    var each = new TreeMap<String, Double>();
    steps.forEach(
        (step, time) -> each.put(step, (time - earlier.steps.getOrDefault(step, 0.0)) / closings));
    return new Toll(
        (milliseconds - earlier.milliseconds) / closings,
        each,
        (transactions - earlier.transactions) / closings,
        (walBytes - earlier.walBytes) / closings);
  }

  double step(String name) {
    return steps.getOrDefault(name, 0.0);
  }

  /** How much of the time was the work itself, and not its bookkeeping; from 0 to 1. */
  double work() {
    return steps.values().stream().mapToDouble(Double::doubleValue).sum() / milliseconds;
  }
}
