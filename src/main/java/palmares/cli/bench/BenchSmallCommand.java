package palmares.cli.bench;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import palmares.bench.Figures;
import palmares.bench.WrongResult;
import palmares.bench.small.SmallBench;
import palmares.bench.small.SmallBoards;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.platform.time.SettableClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how many small periods close a second. */
@Command(
    name = "small",
    description = {
      "Closes many small boards whose days end at one midnight, by the real sweep and queue, and"
          + " tells where the time goes.",
      "",
      "Each run is another day of the same boards; all must be settled, and verify in the end."
    },
    sortOptions = false)
final class BenchSmallCommand implements Callable<Integer> {
  private static final int MOST_MEMBERS = 10_000;

  private final Session session;

  @Option(
      names = "--periods",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many end at once (default: 1000).")
  private int periods;

  @Option(
      names = "--members",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many stand on each (default: 20).")
  private int members;

  @Mixin private Measuring measuring = new Measuring();

  BenchSmallCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    measuring.requireWithin("--periods", periods, SmallBoards.MOST);
    measuring.requireWithin("--members", members, MOST_MEMBERS);
    var plan = new SmallBench.Plan(members, measuring.runs(), measuring.seed());
    measuring.tell(
        session.terminal(), Map.of("periods", periods, "members", members), measure(plan));
    return 0;
  }

  private Figures measure(SmallBench.Plan plan) {
    var boards = new SmallBoards(periods);
    var clock = new SettableClock(Instant.EPOCH);
    try (RunningApplication app =
        BenchServers.start(session, LaunchOptions.closing("bench"), clock, boards.files())) {
      return new SmallBench(app::get, boards, clock, new Shown(session.terminal(), "done"))
          .measure(plan);
    } catch (WrongResult e) {
      throw UserError.failed(String.valueOf(e.getMessage()), e);
    }
  }
}
