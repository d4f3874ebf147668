package palmares.bench.close;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;
import palmares.bench.ProgressListener;
import palmares.bench.Timing;
import palmares.bench.WrongResult;
import palmares.bench.gauge.CoreWaitGauge;
import palmares.bench.gauge.CpuGauge;
import palmares.bench.gauge.HeapGauge;
import palmares.bench.gauge.RedisGauge;
import palmares.bench.gauge.RedisGauge.Longest;
import palmares.bench.gauge.TableSizes;
import palmares.bench.seeding.Crowd;
import palmares.bench.seeding.PeriodSeeder;
import palmares.bench.seeding.SeededPeriod;
import palmares.operations.memory.RedisMemory;
import palmares.period.Period;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;

/** Seeds periods, closes them by the application's job, and measures both. */
final class MeasuredClosings {
  /** Number of a key's entries from which its size is estimated. */
  private static final int SAMPLES = 1_000;

  private final ProgressListener progress;
  private final Beans beans;
  private final JdbcClient jdbc;
  private final RedisMemory memory;
  private final Closings closings;
  private final Verification verification;
  private final RedisGauge redis;
  private final CpuGauge cpu;

  MeasuredClosings(Beans beans, ProgressListener progress) {
    this.progress = progress;
    this.beans = beans;
    this.jdbc = beans.get(JdbcClient.class);
    this.memory = beans.get(RedisMemory.class);
    this.closings = beans.get(Closings.class);
    this.verification = beans.get(Verification.class);
    this.redis = new RedisGauge(beans);
    this.cpu = new CpuGauge(beans);
  }

  /**
   * Seeds a period.
   *
   * @param readings receives the bytes in Redis and PostgreSQL for each member and event
   */
  SeededPeriod seed(PeriodSeeder seeder, Crowd crowd, Readings readings) {
    TableSizes before = TableSizes.now(jdbc);
    SeededPeriod seeded = seeder.ended(crowd);
    long journal = TableSizes.now(jdbc).grownSince(before, "event");
    double events = seeded.events();
    readings.note("events", events);
    readings.note("event_bytes", journal / events);
    readings.note("redis_bytes_per_member", bytes(seeded, "board") / (double) crowd.members());
    readings.note("redis_bytes_per_event", bytes(seeded, "ids") / events);
    return seeded;
  }

  /** Bytes of one of the live board's keys. */
  private long bytes(SeededPeriod seeded, String part) {
    long[] bytes = {0};
    memory.scan(
        SAMPLES,
        key -> {
          if (seeded.period().name().equals(key.period()) && key.part().equals(part)) {
            bytes[0] += key.bytes();
          }
        });
    return bytes[0];
  }

  /**
   * Closes a period that has ended.
   *
   * @return the time of each step
   * @throws WrongResult if the period is not settled
   */
  StepTimes close(Period period) {
    var times = new StepTimes();
    ClosingResult closed = closings.close(period.id(), ClosingCause.of("bench"), times);
    times.stop();
    WrongResult.requireSettled(closed);
    return times;
  }

  /**
   * Closes a period and measures the closing.
   *
   * @param readings receives the seconds of each step, and the use of heap, Redis, processors and
   *     disk
   * @return the totals of the closing
   */
  ClosingTotals close(SeededPeriod seeded, Readings readings) {
    TableSizes before = TableSizes.now(jdbc);
    redis.begin();
    cpu.begin();
    try (var heap = new HeapGauge();
        var waits = new CoreWaitGauge(beans)) {
      StepTimes times = close(seeded.period());
      cpu.end().forEach((who, seconds) -> readings.note(who + "_cpu_seconds", seconds));
      waits.end().ifPresent(millis -> readings.note("redis_core_wait_ms", millis));
      readings.note("heap_peak_mb", heap.peak());
      heap.kept().ifPresent(kept -> readings.note("heap_kept_mb", kept));
      note(times, seeded.crowd().members(), readings);
    }
    redis.end().ifPresent(longest -> note(longest, readings));
    TableSizes after = TableSizes.now(jdbc);
    double members = seeded.crowd().members();
    readings.note("postgres_bytes_per_member", after.allGrownSince(before) / members);
    after
        .grownSince(before)
        .forEach((table, bytes) -> readings.note(table + "_bytes_per_member", bytes / members));
    return ClosingTotals.of(jdbc, outcomeOf(seeded.period()));
  }

  /** The first outcome of a settled period. */
  int outcomeOf(Period period) {
    return jdbc.sql("select id from revision where period_id = :period and revision = 1")
        .param("period", period.id().value())
        .query(Integer.class)
        .single();
  }

  private void note(Longest longest, Readings readings) {
    readings.note("redis_blocked_ms", longest.millis());
    longest.alone().ifPresent(millis -> readings.note("redis_work_ms", millis));
    progress.report(
        "%s blocked Redis longest: %.2f ms; the same command alone: %s; longest wait for a core: %s"
            .formatted(
                longest.command(),
                longest.millis(),
                millis(longest.alone()),
                millis(readings.find("redis_core_wait_ms"))));
  }

  private static String millis(OptionalDouble value) {
    return value.isPresent() ? "%.2f ms".formatted(value.getAsDouble()) : "unknown";
  }

  private static void note(StepTimes times, long members, Readings readings) {
    readings.note("close_seconds", times.seconds());
    readings.note("close_members_per_second", members / times.seconds());
    times.secondsByStep().forEach((step, took) -> readings.note(step + "_seconds", took));
  }

  /**
   * Verifies the closed period.
   *
   * @param readings receives the seconds
   * @throws WrongResult if verification finds a difference
   */
  void verify(SeededPeriod seeded, Readings readings) {
    Period period = seeded.period();
    var findings = new ArrayList<Findings>();
    double seconds =
        Timing.seconds(Timing.time(() -> findings.add(verification.verify(List.of(period.id())))));
    WrongResult.requireClean(findings.get(0));
    readings.note("verify_seconds", seconds);
  }

  /** Measures the time of each step of a closing. */
  static final class StepTimes implements Consumer<String> {
    private final Map<String, Long> nanos = new LinkedHashMap<>();
    private String step = "begin";
    private long since = System.nanoTime();

    /** Ends the current step and begins the next. */
    @Override
    public void accept(String next) {
      long now = System.nanoTime();
      nanos.merge(step, now - since, Long::sum);
      step = next;
      since = now;
    }

    /** Ends the last step. */
    void stop() {
      accept("end");
    }

    /** The seconds of all steps. */
    double seconds() {
      return nanos.values().stream().mapToLong(Long::longValue).sum() / 1e9;
    }

    /** The seconds by step, in order; the time before the first step is named {@code begin}. */
    Map<String, Double> secondsByStep() {
      var seconds = new LinkedHashMap<String, Double>();
      nanos.forEach((name, time) -> seconds.put(name, time / 1e9));
      return seconds;
    }
  }
}
