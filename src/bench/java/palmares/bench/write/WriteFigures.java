package palmares.bench.write;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
import palmares.operations.memory.RedisMemory;
import palmares.period.Period;

/** The figures of {@code write}: medians over the runs. */
public final class WriteFigures {
  private static final Map<String, String> WAYS = new LinkedHashMap<>();

  static {
    WAYS.put("single", "single events");
    WAYS.put("single_128", "single events of 128 clients");
    WAYS.put("open", "single events without security");
    WAYS.put("empty", "an empty endpoint");
    WAYS.put("batch", "batches");
    WAYS.put("committed", "single events, committed");
    WAYS.put("committed_128", "single events of 128 clients, committed");
    WAYS.put("committed_batch", "batches, committed");
    WAYS.put("raw", "the script, one by one");
    WAYS.put("pipelined", "the script, pipelined");
    WAYS.put("bare", "bare ZINCRBY");
    WAYS.put("lock", "a lock for each member");
    WAYS.put("board_lock", "a lock for the board");
  }

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
            .addWithAim(
                "single_over_empty",
                "single events / an empty endpoint",
                ratio("single", "empty"),
                Aim.atLeast(0.6))
            .addWithAim(
                "single_over_open",
                "single events / the same without security",
                ratio("single", "open"),
                Aim.atLeast(0.97))
            .addWithAim(
                "batch_over_bare",
                "batches / bare ZINCRBY, pipelined alike",
                ratio("batch", "bare"),
                Aim.atLeast(0.3))
            .addWithAim(
                "batch_over_raw",
                "batches / the script, pipelined",
                ratio("batch", "pipelined"),
                Aim.atLeast(0.8))
            .addWithAim(
                "committed_over_single",
                "single events, committed / fast",
                ratio("committed", "single"),
                Aim.atLeast(0.65))
            .addWithAim(
                "committed_over_single_128",
                "single events of 128 clients, committed / fast",
                ratio("committed_128", "single_128"),
                Aim.atLeast(0.65))
            .addWithAim(
                "committed_batch_over_batch",
                "batches, committed / fast",
                ratio("committed_batch", "batch"),
                Aim.atLeast(0.9));
    addRecipes(figures);
    WAYS.forEach((way, label) -> WayRun.addTo(figures, way, label, runs(way)));
    bytes.addTo(figures);
    return figures;
  }

  private void addRecipes(Figures figures) {
    figures
        .addWithAim(
            "batch_over_lock",
            "batches / a lock for each member",
            ratio("batch", "lock"),
            Aim.atLeast(10))
        .add(
            "events_over_lock",
            "single events / a lock for each member",
            ratio("single", "lock"),
            "")
        .add(
            "events_over_board_lock",
            "single events / a lock for the board",
            ratio("single", "board_lock"),
            "");
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
   * @param cpuUse processor seconds by process, as {@link palmares.bench.gauge.CpuGauge} names it
   * @param seconds elapsed time
   */
  record WayRun(SendResult sent, int events, Map<String, Double> cpuUse, double seconds) {
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
    static void addTo(Figures figures, String name, String label, Collection<WayRun> all) {
      var medians = new Medians(figures, name, label, all);
      medians.add("per_second", "events", WayRun::perSecond, "a second");
      medians.add("p50_ms", "half within", one -> one.sent().pace().middle(), "ms");
      medians.add("p99_ms", "99 % within", one -> one.sent().pace().slow(), "ms");
      medians.add("p999_ms", "99.9 % within", one -> one.sent().pace().slowest(), "ms");
      medians.add("redis_cpu", "Redis", one -> one.share("redis"), "% of a core");
      medians.add("server_cpu", "this JVM", one -> one.share("jvm"), "% of a core");
      medians.add("postgres_cpu", "PostgreSQL", one -> one.share("postgres"), "% of a core");
      medians.add("cpu_us", "all three", WayRun::microsPerEvent, "us of a core an event");
      if (all.stream().anyMatch(one -> one.sent().clientSeconds() > 0)) {
        medians.add(
            "clients_cpu",
            "its clients",
            one -> PERCENT * one.sent().clientSeconds() / one.seconds(),
            "% of a core");
      }
    }

    private double share(String process) {
      return PERCENT * cpuUse.getOrDefault(process, 0.0) / seconds;
    }

    private double microsPerEvent() {
      return 1e6 * cpuUse.values().stream().mapToDouble(Double::doubleValue).sum() / events;
    }

    private record Medians(Figures figures, String name, String label, Collection<WayRun> all) {
      void add(String what, String words, ToDoubleFunction<WayRun> value, String unit) {
        figures.add(
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
    void measure(Period period, long events) {
      redis.clear();
      memory.scan(
          ALL,
          key -> {
            if (period.name().equals(key.period())) {
              redis.merge(key.part(), (double) key.bytes() / events, Double::sum);
            }
          });
    }

    void addTo(Figures figures) {
      figures.add("journal_bytes_per_event", "Redis, until it is drained", part("journal"), UNIT);
      figures.add("dedup_bytes_per_event", "Redis, until the board is dropped", part("ids"), UNIT);
      long events = jdbc.sql("select count(*) from event").query(Long.class).single();
      double bytes = TableSizes.now(jdbc).bytes().getOrDefault("event", 0L);
      figures.add("postgres_bytes_per_event", "PostgreSQL, with its indexes", bytes / events, UNIT);
    }

    private double part(String name) {
      return redis.getOrDefault(name, 0.0);
    }
  }
}
