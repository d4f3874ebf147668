package palmares.cli.bench;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.audit.Findings;
import palmares.audit.Verification;
import palmares.bench.small.SmallBoards;
import palmares.bench.small.SmallPeriods;
import palmares.bench.small.SmallRuns;
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Complaint;
import palmares.cli.terminal.Progress;
import palmares.closing.Sweep;
import palmares.intake.Intake;
import palmares.time.SettableClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures how many small periods close a second. */
@Command(
    name = "small",
    description = {
      "Closes many small boards whose days end at one midnight, by the real sweep and queue, and"
          + " tells where the time goes. Each run is another day of the same boards; all must be"
          + " settled, and verify in the end."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:measured, whatever came out",
      "1:it could not be measured, or a period was not settled or does not verify",
      "2:bad usage, or servers that are not empty: nothing was changed"
    },
    footerHeading = "%nExample:%n",
    footer = "  palmares bench small --periods 1000 --members 20")
final class BenchSmallCommand implements Callable<Integer> {
  private static final Progress.Unit EVENTS = new Progress.Unit(" events", 1);
  private static final Progress.Unit PERIODS = new Progress.Unit(" periods", 1);
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
  @Spec private CommandSpec spec = CommandSpec.create();

  BenchSmallCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    requireWithin("--periods", periods, SmallBoards.MOST);
    requireWithin("--members", members, MOST_MEMBERS);
    int runs = measuring.runs();
    var boards = new SmallBoards(periods);
    var clock = new SettableClock(SmallPeriods.begin());
    try (Running app =
        BenchServers.start(session, Launch.closing("bench"), clock, boards.files())) {
      var measured =
          new SmallRuns(periods, app.get(MeterRegistry.class), app.get(JdbcClient.class));
      var days =
          new SmallPeriods(boards, clock, app.get(Intake.class), app.get(Sweep.class));
      var random = new Random(measuring.seed());
      for (int run = 1; run <= runs; run++) {
        fill(days, random);
        close(days, measured);
      }
      measuring.tell(
          session.terminal(), Map.of("periods", periods, "members", members), measured.figures());
      return verify(app, (long) runs * periods);
    }
  }

  private void requireWithin(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new ParameterException(
          spec.commandLine(), "%s is from 1 to %d, not %d".formatted(option, most, value));
    }
  }

  private void fill(SmallPeriods days, Random random) {
    try (Progress progress =
        Progress.of(session.terminal(), "fill", EVENTS, (long) periods * members)) {
      days.fill(members, random, taken -> progress.at(taken, ""));
    }
  }

  private void close(SmallPeriods days, SmallRuns measured) {
    try (Progress progress = Progress.of(session.terminal(), "close", PERIODS, periods)) {
      measured.measure(() -> days.close(settled -> progress.at(settled, "")));
    }
  }

  private int verify(Running app, long settled) {
    Findings findings = app.get(Verification.class).verifySettled(null, null);
    findings.named().forEach(difference -> session.terminal().print(difference.sentence()));
    session.terminal().print(findings.summary());
    return findings.clean() && findings.periods() == settled ? 0 : Complaint.FAILED;
  }
}
