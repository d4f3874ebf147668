package palmares.bench.nodes;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import palmares.bench.Beans;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.WrongResult;
import palmares.bench.nodes.Applications.Application;
import palmares.platform.text.Choice;
import palmares.platform.time.SettableClock;

/** Measures what several machines would do, with several processes on this one. */
public final class NodesBench {
  /** When the written periods are open. */
  public static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static final Duration NODE_TIMEOUT = Duration.ofSeconds(2);

  private final Beans beans;
  private final SettableClock clock;
  private final Plan plan;
  private final Applications applications;
  private final SchedulerProcess.Starter starter;
  private final ProgressListener progress;
  private final Figures figures = new Figures();
  private final Map<String, Object> texts = new LinkedHashMap<>();

  /**
   * @param beans of an application on servers without other data, whose Redis is one, and that has
   *     the properties {@link SliceTwins.Plan#sliced}
   * @param clock of the application
   * @param scheduler command that runs {@link Scheduler#run}
   * @param folder for files of other processes
   */
  public NodesBench(
      Beans beans,
      SettableClock clock,
      Plan plan,
      Applications applications,
      List<String> scheduler,
      Path folder,
      ProgressListener progress) {
    this.beans = beans;
    this.clock = clock;
    this.plan = plan;
    this.applications = applications;
    this.starter = new SchedulerProcess.Starter(scheduler, folder);
    this.progress = progress;
  }

  /** What can be measured. */
  public enum Measure implements Choice {
    /** Boards by master. */
    BOARDS,
    /** Writes to a cluster and to one Redis. */
    WRITES,
    /** The failover of a master. */
    OUTAGE,
    /** Memory of an idle scheduler for a cluster and for one Redis. */
    MEMORY,
    /** Closings that schedulers share. */
    CLOSINGS,
    /** The kill of a scheduler. */
    TAKEOVER,
    /** Slices of a big closing. */
    SLICES
  }

  /**
   * What to measure.
   *
   * @param events events of each way to write, in a run
   */
  public record Plan(
      Set<Measure> measures,
      int events,
      int runs,
      long seed,
      SharedClosings.Plan closings,
      SliceTwins.Plan slices) {
    boolean has(Measure measure) {
      return measures.contains(measure);
    }
  }

  /**
   * What was measured.
   *
   * @param texts measured rows of numbers, by name
   */
  public record Measured(Figures figures, Map<String, Object> texts) {}

  /**
   * Measures all that is planned; what needs quotas is left out where none can be set.
   *
   * @throws WrongResult if a process does not start, or a result is wrong
   */
  public Measured measure() throws IOException {
    try (CpuQuotas quotas = CpuQuotas.ofThisMachine()) {
      if (quotas.refusal() != null) {
        progress.report(
            "no processor quotas can be set here, and nothing that needs them is measured: "
                + quotas.refusal());
      }
      try (var closings = new SharedClosings(beans, clock, plan.closings(), starter, progress)) {
        measureCluster(quotas, closings);
        measureSchedulers(quotas, closings);
      }
    }
    if (plan.has(Measure.SLICES)) {
      measureSlices();
    }
    return new Measured(figures, texts);
  }

  private void measureCluster(CpuQuotas quotas, SharedClosings closings) throws IOException {
    if (Set.of(Measure.BOARDS, Measure.WRITES, Measure.OUTAGE, Measure.MEMORY).stream()
        .noneMatch(plan::has)) {
      return;
    }
    clock.set(NOON);
    clock.run();
    progress.report("start a cluster of three masters and three replicas");
    try (RedisCluster cluster =
        RedisCluster.start(starter.logs(), RedisCluster.MASTERS, NODE_TIMEOUT)) {
      var stores = new Stores(beans);
      Map<String, String> onCluster = stores.with(cluster);
      try (Application several = applications.start("on the cluster", onCluster)) {
        var bench = new ClusterBench(beans, several, clock, cluster, plan.seed(), progress);
        bench.spread(figures);
        if (plan.has(Measure.WRITES)) {
          measureWrites(bench, quotas);
        }
        if (plan.has(Measure.MEMORY)) {
          measureMemory(onCluster, closings);
        }
        if (plan.has(Measure.OUTAGE)) {
          clock.set(NOON);
          bench.failOver(figures, texts);
        }
      } finally {
        stores.dropDatabase();
      }
    }
  }

  /** With a replica of each, because to copy each write costs as much on both sides. */
  private void measureWrites(ClusterBench bench, CpuQuotas quotas) throws IOException {
    var stores = new Stores(beans);
    try (RedisReplica replica = stores.replica(starter.logs())) {
      bench.write(plan.events(), plan.runs(), figures);
      if (quotas.refusal() == null) {
        OptionalLong single = stores.startedRedis(starter.logs());
        if (single.isPresent()) {
          bench.writeWithQuotas(quotas, single.getAsLong(), plan.events(), plan.runs(), figures);
        } else {
          progress.report(
              "writes with quotas are not measured: the one Redis is not embedded, and would have"
                  + " to be limited");
        }
      }
      if (!replica.follows()) {
        throw new WrongResult("the replica of the one Redis did not follow it");
      }
    }
    bench.settle();
  }

  /** The scheduler on one Redis goes on as the first of those that share closings. */
  private void measureMemory(Map<String, String> onCluster, SharedClosings closings)
      throws IOException {
    SchedulerProcess one = starter.start("scheduler 1", new Stores(beans).same());
    closings.add(one);
    Scheduler.Memory ofOne = one.memory();
    try (SchedulerProcess several = starter.start("scheduler on the cluster", onCluster)) {
      Scheduler.Memory ofCluster = several.memory();
      figures
          .addWithAim(
              "nodes_memory_ratio",
              "memory of an idle scheduler, for a cluster / for one Redis",
              (double) ofCluster.live() / ofOne.live(),
              Aim.atMost(1.1))
          .add("nodes_memory_cluster_mb", "  for a cluster", ofCluster.live() / 1e6, "MB")
          .add("nodes_memory_one_mb", "  for one Redis", ofOne.live() / 1e6, "MB")
          .add(
              "nodes_resident_ratio",
              "  resident, likewise",
              (double) ofCluster.resident() / ofOne.resident(),
              "");
    }
  }

  private void measureSchedulers(CpuQuotas quotas, SharedClosings closings) throws IOException {
    boolean shares = plan.has(Measure.CLOSINGS) && quotas.refusal() == null;
    if (shares) {
      closings.share(quotas, figures);
    }
    if (plan.has(Measure.TAKEOVER)) {
      closings.takeOver(quotas, figures);
    }
    if (shares || plan.has(Measure.TAKEOVER)) {
      closings.verify();
    }
  }

  private void measureSlices() {
    var properties = new HashMap<>(new Stores(beans).same());
    properties.putAll(plan.slices().whole());
    try (Application whole = applications.start("without slices", properties)) {
      new SliceTwins(beans, whole, clock, plan.slices(), progress).measure(figures);
    }
  }
}
