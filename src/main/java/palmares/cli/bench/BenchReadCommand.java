package palmares.cli.bench;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import palmares.bench.Figures;
import palmares.bench.WrongResult;
import palmares.bench.read.ReadBench;
import palmares.bench.read.ReadBoards;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.platform.time.SettableClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures looks at live boards. */
@Command(
    name = "read",
    description = {
      "Asks live boards of several sizes, with each way to rank equals, for a member's rank, for"
          + " the top 100 and for the lines around a member, and tells how the time grows.",
      "",
      "Each answer is checked against what the members were given."
    },
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {"  palmares bench read --members 10000,1000000 --json read.json"})
final class BenchReadCommand implements Callable<Integer> {
  private static final int MOST_QUERIES = 1_000_000;

  private final Session session;

  @Option(
      names = "--members",
      paramLabel = "N",
      split = ",",
      defaultValue = "1000,10000,1000000,10000000",
      description = "How many stand on the boards: N,N (default: 1000,10000,1000000,10000000).")
  private List<Long> members = List.of();

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "2000",
      description = "How often each question is asked (default: 2000).")
  private int queries;

  @Mixin private Measuring measuring = new Measuring();

  @Spec private CommandSpec spec = CommandSpec.create();

  BenchReadCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    Sizes.require(spec, members);
    if (queries < 1 || queries > MOST_QUERIES) {
      throw new ParameterException(
          spec.commandLine(), "--queries is from 1 to %d, not %d".formatted(MOST_QUERIES, queries));
    }
    var plan = new ReadBench.Plan(members, queries, measuring.runs(), measuring.seed());
    measuring.tell(
        session.terminal(),
        Map.of("members", Sizes.told(members), "queries", queries),
        measure(plan));
    return 0;
  }

  private Figures measure(ReadBench.Plan plan) {
    var clock = new SettableClock(Instant.EPOCH);
    try (RunningApplication app =
        BenchServers.start(session, LaunchOptions.closing("bench"), clock, ReadBoards.files())) {
      return new ReadBench(app::get, clock, new Shown(session.terminal(), "done")).measure(plan);
    } catch (WrongResult e) {
      throw UserError.failed(String.valueOf(e.getMessage()), e);
    }
  }
}
