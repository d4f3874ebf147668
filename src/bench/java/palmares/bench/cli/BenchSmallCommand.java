package palmares.bench.cli;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import palmares.bench.Figures;
import palmares.bench.small.SmallBench;
import palmares.bench.small.SmallBoards;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.Session;
import palmares.platform.time.SettableClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how many small periods close a second. */
@Command(
    name = "small",
    description = {
      "Closes many small boards whose days end at the same midnight, by the real sweep and queue,"
          + " and reports the time of each step.",
      "",
      "Each run is the next day of the same boards. Every period must be settled and pass"
          + " verification."
    },
    sortOptions = false)
final class BenchSmallCommand implements Callable<Integer> {
  private static final int MAX_MEMBERS = 10_000;

  private final Session session;

  @Option(
      names = "--periods",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Number of periods that end at once (default: 1000).")
  private int periods;

  @Option(
      names = "--members",
      paramLabel = "N",
      defaultValue = "20",
      description = "Members of each board (default: 20).")
  private int members;

  @Mixin private MeasuringOptions measuring = new MeasuringOptions();

  BenchSmallCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    measuring.requireWithin("--periods", periods, SmallBoards.MAX_BOARDS);
    measuring.requireWithin("--members", members, MAX_MEMBERS);
    var plan = new SmallBench.Plan(members, measuring.runs(), measuring.seed());
    var boards = new SmallBoards(periods);
    var clock = new SettableClock(Instant.EPOCH);
    var progress = new TerminalProgress(session.terminal(), "done");
    Figures figures =
        BenchServers.measure(
            session,
            LaunchOptions.closing("bench"),
            clock,
            boards.files(),
            app -> new SmallBench(app::get, boards, clock, progress).measure(plan));
    measuring.print(session.terminal(), Map.of("periods", periods, "members", members), figures);
    return 0;
  }
}
