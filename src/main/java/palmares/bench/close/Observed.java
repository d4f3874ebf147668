package palmares.bench.close;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Measured;
import palmares.bench.Parts;
import palmares.bench.Watcher;
import palmares.bench.WrongResult;
import palmares.bench.crowd.Crowd;
import palmares.bench.crowd.Ground;
import palmares.bench.crowd.Seeding;
import palmares.bench.gauge.CoreWaits;
import palmares.bench.gauge.CpuGauge;
import palmares.bench.gauge.HeapGauge;
import palmares.bench.gauge.RedisGauge;
import palmares.bench.gauge.RedisGauge.Longest;
import palmares.bench.gauge.TableSizes;
import palmares.operations.memory.RedisMemory;
import palmares.period.Period;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;

/** Seeds periods and closes them by the application's own job, and looks at what it takes. */
final class Observed {
  /** Of how many entries of a key its bytes are estimated. */
  private static final int SAMPLES = 1_000;

  private final Watcher watcher;
  private final Parts parts;
  private final JdbcClient jdbc;
  private final RedisMemory memory;
  private final Closings closings;
  private final Verification verification;
  private final RedisGauge redis;
  private final CpuGauge cpu;

  Observed(Parts parts, Watcher watcher) {
    this.watcher = watcher;
    this.parts = parts;
    this.jdbc = parts.get(JdbcClient.class);
    this.memory = parts.get(RedisMemory.class);
    this.closings = parts.get(Closings.class);
    this.verification = parts.get(Verification.class);
    this.redis = new RedisGauge(parts);
    this.cpu = new CpuGauge(parts);
  }

  /**
   * Seeds a period.
   *
   * @param readings is told what it takes of Redis and of PostgreSQL, by member and by event
   */
  Ground seed(Seeding seeding, Crowd crowd, Readings readings) {
    TableSizes before = TableSizes.now(jdbc);
    Ground ground = seeding.day(crowd);
    long journal = TableSizes.now(jdbc).grownSince(before, "event");
    double events = ground.events();
    readings.note("events", events);
    readings.note("event_bytes", journal / events);
    readings.note("redis_bytes_per_member", bytes(ground, "board") / (double) crowd.members());
    readings.note("redis_bytes_per_event", bytes(ground, "ids") / events);
    return ground;
  }

  /** What one of the live board's keys takes in Redis. */
  private long bytes(Ground ground, String part) {
    long[] bytes = {0};
    memory.scan(
        SAMPLES,
        key -> {
          if (ground.period().name().equals(key.period()) && key.part().equals(part)) {
            bytes[0] += key.bytes();
          }
        });
    return bytes[0];
  }

  /**
   * Closes a period that is over.
   *
   * @return how long each step took
   * @throws WrongResult if it is not settled then
   */
  StepTimes close(Period period) {
    var times = new StepTimes();
    ClosingResult closed = closings.close(period.id(), ClosingCause.of("bench"), times);
    times.stop();
    if (closed.outcome() != ClosingResult.Outcome.SETTLED) {
      throw new WrongResult(
          "%s was not settled: %s, %s"
              .formatted(period.label(), closed.outcome(), closed.detail()));
    }
    return times;
  }

  /**
   * As {@link #close(Period)}.
   *
   * @param readings is told the seconds of all and of each step, and what they took of the heap, of
   *     Redis, of the processors and of the disk
   * @return what the closing came to
   */
  Outcome close(Ground ground, Readings readings) {
    TableSizes before = TableSizes.now(jdbc);
    redis.begin();
    cpu.begin();
    try (var heap = new HeapGauge();
        var waits = new CoreWaits(parts)) {
      StepTimes times = close(ground.period());
      cpu.end().forEach((who, seconds) -> readings.note(who + "_cpu_seconds", seconds));
      waits.end().ifPresent(millis -> readings.note("redis_core_wait_ms", millis));
      readings.note("heap_peak_mb", heap.peak());
      heap.kept().ifPresent(kept -> readings.note("heap_kept_mb", kept));
      note(times, ground.crowd().members(), readings);
    }
    redis.end().ifPresent(longest -> note(longest, readings));
    TableSizes after = TableSizes.now(jdbc);
    double members = ground.crowd().members();
    readings.note("postgres_bytes_per_member", after.allGrownSince(before) / members);
    after
        .grownSince(before)
        .forEach((table, bytes) -> readings.note(table + "_bytes_per_member", bytes / members));
    return Outcome.of(jdbc, outcomeOf(ground.period()));
  }

  /** The number of a settled period's first outcome. */
  int outcomeOf(Period period) {
    return jdbc.sql("select id from revision where period_id = :period and revision = 1")
        .param("period", period.id().value())
        .query(Integer.class)
        .single();
  }

  private void note(Longest longest, Readings readings) {
    readings.note("redis_blocked_ms", longest.millis());
    longest.alone().ifPresent(millis -> readings.note("redis_work_ms", millis));
    watcher.say(
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
   * Derives all that the closed period must hold, and compares.
   *
   * @param readings gets the seconds that this took
   * @throws WrongResult if anything differs
   */
  void verify(Ground ground, Readings readings) {
    Period period = ground.period();
    var findings = new ArrayList<Findings>();
    double seconds =
        Measured.seconds(
            Measured.time(() -> findings.add(verification.verify(List.of(period.id())))));
    if (!findings.get(0).clean()) {
      throw new WrongResult(
          "%s does not verify: %s; %s"
              .formatted(
                  period.label(),
                  findings.get(0).summary(),
                  findings.get(0).named().get(0).sentence()));
    }
    readings.note("verify_seconds", seconds);
  }
}
