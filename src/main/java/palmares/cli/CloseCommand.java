package palmares.cli;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Progress;
import palmares.operations.report.PeriodHistory;
import palmares.period.BoardDefinitions;
import palmares.period.DuePeriods;
import palmares.period.PeriodId;
import palmares.period.PeriodTimeline;
import palmares.period.Periods;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.Closings;
import palmares.settlement.closing.Sweep;
import palmares.settlement.outcome.Revisions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes periods to settled. */
@Command(
    name = "close",
    description = {
      "Takes one period, or all that are due, from wherever they are to settled.",
      "",
      "May be run beside a server, twice, or killed and run again: nobody is paid twice. Failed"
          + " periods are tried again without waiting for the scheduler's next attempt."
    },
    customSynopsis = {
      "palmares close [OPTIONS] BOARD PERIOD",
      "   or: palmares close [OPTIONS] --due"
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:settled, now or before; with --due: nothing is left to settle",
      "1:a period failed, or is still held by another process or a running import",
      "2:bad usage, an unknown board or period, or one that is not over: nothing was changed",
      "3:a person must approve or reject it first: nothing was paid"
    },
    footerHeading = "%nExample:%n",
    footer = {"  palmares close invites 2026-W47", "  palmares close --due"})
final class CloseCommand implements Callable<Integer> {
  /** The exit code of what a person must look at. */
  static final int WAITS = 3;

  private final Session session;

  @Parameters(index = "0", arity = "0..1", paramLabel = "BOARD", description = "The board's id.")
  private @Nullable String board;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PERIOD",
      description = "The period's name, as 2026-11-20, 2026-W47 or 2026-11.")
  private @Nullable String period;

  @Option(names = "--due", description = "All periods whose end and grace have passed.")
  private boolean due;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "How long to wait for what another process holds (default: 60; one that was killed loses"
              + " it after 20).")
  private int patience;

  @Spec private CommandSpec spec = CommandSpec.create();

  CloseCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (due ? board != null : board == null || period == null) {
      throw new ParameterException(
          spec.commandLine(), "name a BOARD and a PERIOD, or --due for all that is due");
    }
    if (patience < 0) {
      throw new ParameterException(
          spec.commandLine(), "--wait is 0 or more seconds, not " + patience);
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.closing("close"), boards)) {
      return board != null && period != null
          ? single(app, boards).close(board, period)
          : closeEverything(app, boards);
    }
  }

  private SingleClosing single(RunningApplication app, Catalogue boards) {
    return new SingleClosing(
        session.terminal(),
        new DuePeriod(
            new ArgumentLookup(boards, app.get(PeriodHistory.class)),
            app.get(Periods.class),
            app.get(PeriodTimeline.class),
            app.get(BoardDefinitions.class),
            app.get(DuePeriods.class),
            app.get(Clock.class)),
        app.get(Closings.class),
        new BusyRetry(Duration.ofSeconds(patience)),
        new HoldNotice(session.terminal(), app.get(Revisions.class)));
  }

  private int closeEverything(RunningApplication app, Catalogue boards) {
    Sweep sweep = app.get(Sweep.class);
    sweep.prepare();
    var closings =
        new DueClosings(
            session.terminal(),
            boards,
            app.get(DuePeriods.class),
            app.get(ClosingQueue.class),
            new BusyRetry(Duration.ofSeconds(patience)));
    int exitCode = closings.close();
    expire(sweep, app.get(DuePeriods.class).expirableOnDemand());
    return exitCode;
  }

  private void expire(Sweep sweep, List<PeriodId> expirable) {
    if (expirable.isEmpty()) {
      return;
    }
    try (Progress progress =
        Progress.of(session.terminal(), "expire", DueClosings.PERIODS, expirable.size())) {
      sweep.expire(expirable, done -> progress.at(done, ""));
    }
  }
}
