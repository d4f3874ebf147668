package palmares.bench.write;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.Timing;
import palmares.bench.gauge.TableSizes;
import palmares.bench.write.WriteBench.CpuUse;
import palmares.live.board.RedisMemory;
import palmares.period.Period;

/** The figures of {@code write}: medians over the runs. */
public final class WriteFigures {
  private final Map<String, List<WayRun>> measured;
  private final EventSizes bytes;

  WriteFigures(Map<String, List<WayRun>> measured, EventSizes bytes) {
    this.measured = measured;
    this.bytes = bytes;
  }

  /**
   * All figures; reads the sizes of events from the servers. A ratio is the median of the ratios of
   * each run.
   */
  public Figures figures() {
    var figures =
        new Figures()
            .hold(
                "single_over_empty",
                "single events / an empty endpoint",
                ratio("single", "empty"),
                Aim.atLeast(0.5))
            .hold(
                "batch_over_bare",
                "batches / bare ZINCRBY, pipelined alike",
                ratio("batch", "bare"),
                Aim.atLeast(0.5))
            .hold(
                "batch_over_raw",
                "batches / the script, pipelined",
                ratio("batch", "pipelined"),
                Aim.atLeast(0.6))
            .hold(
                "batch_over_lock",
                "batches / a lock for each member",
                ratio("batch", "lock"),
                Aim.atLeast(10))
            .tell(
                "events_over_lock",
                "single events / a lock for each member",
                ratio("single", "lock"),
                "")
            .tell(
                "events_over_board_lock",
                "single events / a lock for the board",
                ratio("single", "board_lock"),
                "");
    tell(figures, "single", "single events");
    tell(figures, "empty", "an empty endpoint");
    tell(figures, "batch", "batches");
    tell(figures, "raw", "the script, one by one");
    tell(figures, "pipelined", "the script, pipelined");
    tell(figures, "bare", "bare ZINCRBY");
    tell(figures, "lock", "a lock for each member");
    tell(figures, "board_lock", "a lock for the board");
    bytes.tell(figures);
    return figures;
  }

  private void tell(Figures figures, String way, String label) {
    WayRun.tell(figures, way, label, runs(way));
  }

  private double ratio(String way, String other) {
    return Timing.median(
        IntStream.range(0, runs(way).size())
            .mapToObj(run -> runs(way).get(run).perSecond() / runs(other).get(run).perSecond())
            .toList());
  }

  private List<WayRun> runs(String way) {
    return Objects.requireNonNull(measured.get(way));
  }

  /**
   * A run of one way.
   *
   * @param seconds elapsed time
   */
  record WayRun(SendResult sent, CpuUse cpuUse, double seconds) {
    private static final double PERCENT = 100;

    double perSecond() {
      return sent.pace().perSecond();
    }

    /**
     * Adds the medians over the runs.
     *
     * @param name of the way, which begins the figures' names
     * @param label of the way, for people
     */
    static void tell(Figures figures, String name, String label, Collection<WayRun> all) {
      var told = new Telling(figures, name, label, all);
      told.tell("per_second", "events", WayRun::perSecond, "a second");
      told.tell("p50_ms", "half within", one -> one.sent().pace().middle(), "ms");
      told.tell("p99_ms", "99 % within", one -> one.sent().pace().slow(), "ms");
      told.tell("p999_ms", "99.9 % within", one -> one.sent().pace().slowest(), "ms");
      told.tell("redis_cpu", "Redis", one -> one.share(one.cpuUse().redis()), "% of a core");
      told.tell("server_cpu", "this JVM", one -> one.share(one.cpuUse().server()), "% of a core");
      if (all.stream().anyMatch(one -> one.sent().clientSeconds() > 0)) {
        told.tell(
            "clients_cpu",
            "its clients",
            one -> one.share(one.sent().clientSeconds()),
            "% of a core");
      }
    }

    private double share(double cpuSeconds) {
      return PERCENT * cpuSeconds / seconds;
    }

    private record Telling(Figures figures, String name, String label, Collection<WayRun> all) {
      void tell(String what, String words, ToDoubleFunction<WayRun> value, String unit) {
        figures.tell(
            name + "_" + what,
            label + ": " + words,
            Timing.median(all.stream().mapToDouble(value).boxed().toList()),
            unit);
      }
    }
  }

  /** Measures the bytes of an event, without its member's line. */
  static final class EventSizes {
    private static final int ALL = 0;
    private static final String UNIT = "B an event";

    private final RedisMemory memory;
    private final JdbcClient jdbc;
    private final Map<String, Double> redis = new HashMap<>();

    EventSizes(RedisMemory memory, JdbcClient jdbc) {
      this.memory = memory;
      this.jdbc = jdbc;
    }

    /** Measures a live board before it is drained. */
    void look(Period period, long events) {
      redis.clear();
      memory.scan(
          ALL,
          key -> {
            if (period.name().equals(key.period())) {
              redis.merge(key.part(), (double) key.bytes() / events, Double::sum);
            }
          });
    }

    void tell(Figures figures) {
      figures.tell("journal_bytes_per_event", "Redis, until it is drained", part("journal"), UNIT);
      figures.tell("dedup_bytes_per_event", "Redis, until the board is dropped", part("ids"), UNIT);
      long events = jdbc.sql("select count(*) from event").query(Long.class).single();
      double bytes = TableSizes.now(jdbc).bytes().getOrDefault("event", 0L);
      figures.tell(
          "postgres_bytes_per_event", "PostgreSQL, with its indexes", bytes / events, UNIT);
    }

    private double part(String name) {
      return redis.getOrDefault(name, 0.0);
    }
  }
}
