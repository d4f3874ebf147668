package palmares.cli;

import java.util.concurrent.Callable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.operations.batches.PeriodRange;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.closing.ApprovalDecision;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Restarts a closing that failed or was rejected. */
@Command(
    name = "restart",
    description = {
      "Restarts a closing that failed, from the step where it stopped. A closing that was rejected"
          + " gets new ranks and awards, with the exclusions in force now.",
      "",
      "What is paid already is never paid again."
    },
    exitCodeList = {
      "0:settled",
      "1:it failed again, or another process holds the period",
      "2:bad usage, or nothing to restart: nothing was changed",
      "3:a person must approve or reject it first: nothing was paid"
    },
    customSynopsis = {
      "palmares restart [OPTIONS] BOARD PERIOD --reason TEXT",
      "   or: palmares restart [OPTIONS] [BOARD] [--from DATE] [--to DATE] [--state STATE]"
          + " --reason TEXT"
    },
    footer = {
      "  palmares restart invites 2026-W47 --reason 'Redis is back'",
      "  palmares restart invites --from 2026-11-01 --state failed --reason 'Redis is back'"
    })
final class RestartCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private BoardFilter.WithPeriod target = new BoardFilter.WithPeriod();
  @Mixin private RangeOptions range = new RangeOptions();
  @Mixin private Actor actor = new Actor();

  RestartCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (range.isGiven()) {
      return restartMany();
    }
    var decision = new ApprovalDecision(actor.by(), actor.reason(), null);
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.closing("restart"), boards)) {
      Period period = target.find(app, boards);
      app.get(DuePeriods.class).requireOver(period);
      app.get(Approvals.class).restart(period.id(), decision);
      return report(
          app,
          app.get(Closings.class)
              .close(
                  period.id(),
                  new ClosingCause("palmares restart", decision.by()),
                  step -> session.note("  " + step)));
    }
  }

  private int restartMany() {
    if (target.period() != null) {
      throw UserError.badUsage("a range takes no PERIOD");
    }
    String by = actor.by();
    String reason = actor.reason();
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.closing("restart"), boards)) {
      var work = new BatchWork(session, app);
      PeriodRange selected = range.range(target.board(new Arguments(boards, app)), boards);
      return work.run(work.batches().restart(selected, by, reason));
    }
  }

  private int report(RunningApplication app, ClosingResult closed) {
    String label = closed.period().label();
    return switch (closed.outcome()) {
      case SETTLED, ALREADY_SETTLED -> {
        session.print("%s is settled", label);
        yield 0;
      }
      case WAITS -> {
        SingleClosing.printHeld(session, app, closed);
        yield CloseCommand.EXIT_HELD;
      }
      case FAILED -> throw UserError.failed("%s failed again: %s", label, closed.detail());
      case BUSY, LOST ->
          throw UserError.failed("%s is held by another process that closes it", label);
    };
  }
}
