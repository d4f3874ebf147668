package palmares.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.UserError;
import palmares.period.DuePeriods;
import palmares.period.PeriodId;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.Expiry;
import palmares.settlement.closing.Sweep;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Closes periods. */
@Command(
    name = "close",
    description = {
      "Closes one period, or all that are due, from the state that each has reached.",
      "",
      "May run next to a server, be run twice, or be killed and run again: nobody is paid twice."
          + " Failed periods are retried now, without the scheduler's delay."
    },
    customSynopsis = {
      "palmares close [OPTIONS] BOARD PERIOD",
      "   or: palmares close [OPTIONS] --due",
      "   or: palmares close [OPTIONS] [BOARD] [--from DATE] [--to DATE] [--state STATE]"
          + " --reason TEXT"
    },
    exitCodeList = {
      "0:settled, now or before; with --due: nothing is left to settle",
      "1:a period failed, or is still held by another process or a running import",
      "2:bad usage, an unknown board or period, or one that is not over: nothing was changed",
      "3:a person must approve or reject it first: nothing was paid"
    },
    footer = {
      "  palmares close invites 2026-W47",
      "  palmares close --due",
      "  palmares close invites --from 2026-11-01 --to 2026-11-08 --reason 'after the outage'"
    })
final class CloseCommand implements Callable<Integer> {
  /** Exit code: nothing was paid, because a person must approve or reject it first. */
  static final int EXIT_HELD = 3;

  private final Session session;

  @Parameters(index = "0", arity = "0..1", paramLabel = "BOARD", description = "The board's id.")
  private @Nullable String board;

  @Parameters(index = "1", arity = "0..1", paramLabel = "PERIOD", description = PeriodArgument.NAME)
  private @Nullable String period;

  @Mixin private RangeOptions range = new RangeOptions();
  @Mixin private OptionalActor actor = new OptionalActor();

  @Option(names = "--due", description = "All periods whose end and grace have passed.")
  private boolean due;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "How long to retry a period that another process holds (default: 60; the lease of a"
              + " killed process ends after 20).")
  private int timeoutSeconds;

  CloseCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (range.isGiven()) {
      return closeMany();
    }
    if (due ? board != null : board == null || period == null) {
      throw UserError.badUsage("name a BOARD and a PERIOD, or --due for all that is due");
    }
    if (timeoutSeconds < 0) {
      throw UserError.badUsage("--wait is 0 or more seconds, not " + timeoutSeconds);
    }
    var retry = new BusyRetry(Duration.ofSeconds(timeoutSeconds));
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.closing("close"), boards)) {
      return board != null && period != null
          ? new SingleClosing(session, new Arguments(boards, app), retry).close(board, period)
          : closeDue(app, boards, retry);
    }
  }

  private int closeMany() {
    if (due || period != null || !actor.isGiven()) {
      throw UserError.badUsage("a range takes a --reason, and no PERIOD and --due");
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.closing("close"), boards)) {
      var work = new BatchWork(session, app);
      BoardId id = board == null ? null : new Arguments(boards, app).board(board);
      return work.run(work.batches().close(range.range(id, boards), actor.by(), actor.reason()));
    }
  }

  private int closeDue(RunningApplication app, Catalogue boards, BusyRetry retry) {
    app.get(Sweep.class).prepare();
    DuePeriods duePeriods = app.get(DuePeriods.class);
    int exitCode =
        new DueClosings(session, boards, duePeriods, app.get(ClosingQueue.class), retry).close();
    expire(app.get(Expiry.class), duePeriods.expirableOnDemand());
    return exitCode;
  }

  private void expire(Expiry expiry, List<PeriodId> expirable) {
    if (expirable.isEmpty()) {
      return;
    }
    try (Progress progress =
        Progress.of(session.terminal(), "expire", DueClosings.PERIODS, expirable.size())) {
      expiry.expire(expirable, done -> progress.at(done, ""));
    }
  }
}
