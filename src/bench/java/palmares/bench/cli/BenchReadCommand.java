package palmares.bench.cli;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import palmares.bench.Figures;
import palmares.bench.read.ReadBench;
import palmares.bench.read.ReadBoards;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.Session;
import palmares.platform.time.SettableClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures queries of live boards. */
@Command(
    name = "read",
    description = {
      "Queries live boards of several sizes, with each rank method: a member's rank, the top 100"
          + " and the lines around a member. Reports how the time grows with the size.",
      "",
      "Each answer is checked against the events of the members."
    },
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {"  palmares-bench read --members 10000,1000000 --json read.json"})
final class BenchReadCommand implements Callable<Integer> {
  private static final int MAX_QUERIES = 1_000_000;

  private final Session session;

  @Option(
      names = "--members",
      paramLabel = "N",
      split = ",",
      defaultValue = "1000,10000,1000000,10000000",
      description = "Members of the boards: N,N (default: 1000,10000,1000000,10000000).")
  private List<Long> members = List.of();

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Number of queries of each kind (default: 2000).")
  private int queries;

  @Mixin private MeasuringOptions measuring = new MeasuringOptions();

  BenchReadCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    measuring.requireSizes(members);
    measuring.requireWithin("--queries", queries, MAX_QUERIES);
    var plan = new ReadBench.Plan(members, queries, measuring.runs(), measuring.seed());
    var clock = new SettableClock(Instant.EPOCH);
    var progress = new TerminalProgress(session.terminal(), "done");
    Figures figures =
        BenchServers.measure(
            session,
            LaunchOptions.closing("bench"),
            clock,
            ReadBoards.files(),
            app -> new ReadBench(app::get, clock, progress).measure(plan));
    measuring.print(
        session.terminal(),
        Map.of("members", MeasuringOptions.joined(members), "queries", queries),
        figures);
    return 0;
  }
}
