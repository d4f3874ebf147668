package palmares.cli.bench;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import palmares.bench.Figures;
import palmares.bench.WrongResult;
import palmares.bench.close.ClosingBench;
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Complaint;
import palmares.time.SettableClock;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures closings. */
@Command(
    name = "close",
    description = {
      "Closes a big board by the real job: random ids, a heavy-tailed spread of points with many"
          + " ties, credits for every invitation, and prizes for the first thousand ranks.",
      "",
      "Each run is another day of the same members: their accounts are new in the first."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  palmares bench close --members 1000000 --json close.json",
      "  palmares bench close --members 1000000,10000000 --runs 1"
    })
final class BenchCloseCommand implements Callable<Integer> {
  private static final long USUALLY = 200_000;

  private final Session session;

  @Option(
      names = "--members",
      paramLabel = "N",
      split = ",",
      defaultValue = "1000000",
      description = "How many stand on the board; several sizes: N,N (default: 1000000).")
  private List<Long> members = List.of();

  @Option(
      names = "--no-verify",
      description = "Does not derive anew what was closed, nor compare it.")
  private boolean unverified;

  @ArgGroup private Usual usual = new Usual();

  /** Whether it is closed the usual way too. */
  private static final class Usual {
    @Option(
        names = "--usual",
        description = "Closes boards of whatever size the usual way too; of a million: an hour.")
    private boolean always;

    @Option(
        names = "--no-usual",
        description = "Closes none the usual way (default: those of up to 200,000 members).")
    private boolean never;

    long most() {
      return always ? Long.MAX_VALUE : never ? 0 : USUALLY;
    }
  }

  @Mixin private Measuring measuring = new Measuring();

  @Spec private CommandSpec spec = CommandSpec.create();

  BenchCloseCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    Sizes.require(spec, members);
    var beside = new ClosingBench.Beside(!unverified, usual.most());
    var plan = new ClosingBench.Plan(members, measuring.runs(), measuring.seed(), beside);
    var clock = new SettableClock(Instant.EPOCH);
    Figures figures;
    try (Running app =
        BenchServers.start(
            session, Launch.closing("bench"), clock, List.of(ClosingBench.board()))) {
      figures =
          new ClosingBench(app::get, clock, new Shown(session.terminal(), "lines")).measure(plan);
    } catch (WrongResult e) {
      throw Complaint.failed(String.valueOf(e.getMessage()), e);
    }
    measuring.tell(session.terminal(), Map.of("members", Sizes.told(members)), figures);
    return 0;
  }
}
