package palmares.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.springframework.core.env.Environment;
import palmares.bench.nodes.Applications.Application;
import palmares.bench.nodes.NodeBoards;
import palmares.bench.nodes.NodesBench;
import palmares.bench.nodes.NodesBench.Measure;
import palmares.bench.nodes.NodesBench.Measured;
import palmares.bench.nodes.SharedClosings;
import palmares.bench.nodes.SliceTwins;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.platform.time.SettableClock;
import palmares.rules.boardfiles.BoardFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures several machines. */
@Command(
    name = "nodes",
    description = {
      "Measures what several machines would do, with real servers in several processes: boards over"
          + " a Redis Cluster, the failover of a master, closings that schedulers share, the kill"
          + " of one of them, and slices of a big closing.",
      "",
      "To show more machines than there are, processes get quotas of processor time by control"
          + " groups, which takes root on Linux. Without them, what needs quotas is left out. The"
          + " sides of a comparison are first in turn, so an even number of --runs is fair to both."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  palmares-bench nodes --runs 2 --json nodes.json",
      "  palmares-bench nodes --measures closings,takeover --periods 40"
    })
final class BenchNodesCommand implements Callable<Integer> {
  private static final int MAX_EVENTS = 10_000_000;
  private static final int MAX_MEMBERS = 100_000_000;
  private static final int MAX_PERIODS = 100;
  private static final int MAX_PERIOD_MEMBERS = 250_000;
  private static final int MAX_SCHEDULERS = 8;
  private static final int MAX_SLICES = 64;
  private static final String SCHEDULER_HEAP = "-Xmx256m";

  private final Session session;

  @Option(
      names = "--measures",
      paramLabel = "WHAT",
      split = ",",
      description =
          "What to measure: boards, writes, outage, memory, closings, takeover, slices (default:"
              + " all).")
  private Set<Measure> measures = EnumSet.allOf(Measure.class);

  @Option(
      names = "--events",
      paramLabel = "N",
      defaultValue = "60000",
      description = "Events that are written to each side in a run (default: 60000).")
  private int events;

  @Option(
      names = "--periods",
      paramLabel = "N",
      defaultValue = "40",
      description = "Periods that schedulers share (default: 40).")
  private int periods;

  @Option(
      names = "--period-members",
      paramLabel = "N",
      defaultValue = "25000",
      description = "Members of each of these (default: 25000).")
  private int periodMembers;

  @Option(
      names = "--schedulers",
      paramLabel = "N",
      defaultValue = "3",
      description = "The most schedulers that share them (default: 3).")
  private int schedulers;

  @Option(
      names = "--members",
      paramLabel = "N",
      defaultValue = "2000000",
      description = "Members of the board that is closed in slices (default: 2000000).")
  private int members;

  @Option(
      names = "--slices",
      paramLabel = "N",
      defaultValue = "8",
      description = "Its slices (default: 8).")
  private int slices;

  @Mixin private MeasuringOptions measuring = new MeasuringOptions();

  BenchNodesCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    NodesBench.Plan plan = plan();
    var clock = new SettableClock(NodesBench.NOON);
    List<String> scheduler = OwnProgram.bench(schedulerOptions(), BenchSchedulerCommand.NAME);
    Measured measured =
        BenchServers.measure(
            session,
            with(LaunchOptions.closing("bench"), plan.slices().sliced()),
            clock,
            NodeBoards.files(),
            app ->
                new NodesBench(
                        app::get,
                        clock,
                        plan,
                        (name, properties) -> start(clock, name, properties, folder(app)),
                        scheduler,
                        folder(app),
                        new TerminalProgress(session.terminal(), "done"))
                    .measure());
    var settings = new LinkedHashMap<String, Object>();
    settings.put("written_events", events);
    settings.put("periods", periods);
    settings.put("period_members", periodMembers);
    settings.put("sliced_members", members);
    settings.put("slices", slices);
    settings.putAll(measured.texts());
    measuring.print(session.terminal(), settings, measured.figures());
    return 0;
  }

  private NodesBench.Plan plan() {
    measuring.requireWithin("--events", events, MAX_EVENTS);
    measuring.requireWithin("--periods", periods, MAX_PERIODS);
    measuring.requireWithin("--period-members", periodMembers, MAX_PERIOD_MEMBERS);
    measuring.requireWithin("--schedulers", schedulers, MAX_SCHEDULERS);
    measuring.requireWithin("--members", members, MAX_MEMBERS);
    measuring.requireWithin("--slices", slices, MAX_SLICES);
    if (slices < 2 || members < slices) {
      throw measuring.refused("--slices is from 2 to --members, not " + slices);
    }
    return new NodesBench.Plan(
        measures,
        events,
        measuring.runs(),
        measuring.seed(),
        new SharedClosings.Plan(periods, periodMembers, schedulers, measuring.seed()),
        new SliceTwins.Plan(members, slices, measuring.runs(), measuring.seed()));
  }

  private static LaunchOptions with(LaunchOptions launch, Map<String, String> properties) {
    LaunchOptions complete = launch;
    for (Map.Entry<String, String> property : properties.entrySet()) {
      complete = complete.with(property.getKey(), property.getValue());
    }
    return complete;
  }

  private static List<String> schedulerOptions() {
    var options = new ArrayList<>(OwnProgram.tuning());
    options.add(SCHEDULER_HEAP);
    return options;
  }

  private static Path folder(RunningApplication app) {
    return Path.of(app.get(Environment.class).getRequiredProperty("palmares.data"));
  }

  private Application start(
      SettableClock clock, String name, Map<String, String> properties, Path folder) {
    LaunchOptions launch =
        LaunchOptions.closing("bench")
            .with(Clock.class, clock)
            .with("palmares.anchors.folder", folder.resolve("anchors " + name).toString())
            // Quartz keeps its connections in one map of the JVM, by the scheduler's name.
            .with("spring.quartz.properties.org.quartz.scheduler.instanceName", name);
    return start(session, launch, properties);
  }

  /** Starts an application with the boards of the benchmark. */
  static Application start(Session session, LaunchOptions launch, Map<String, String> properties) {
    RunningApplication app =
        session.start(with(launch, properties), BoardFiles.read(NodeBoards.files()));
    return new Application() {
      @Override
      public <T> T get(Class<T> type) {
        return app.get(type);
      }

      @Override
      public void close() {
        app.close();
      }
    };
  }
}
