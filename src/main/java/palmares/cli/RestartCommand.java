package palmares.cli;

import java.util.concurrent.Callable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.closing.ApprovalDecision;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;
import palmares.settlement.outcome.Revisions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Goes on with a closing that failed or was rejected. */
@Command(
    name = "restart",
    description = {
      "Goes on with a closing that failed, from where it stopped; one that was rejected is ranked"
          + " and awarded anew, with the exclusions that are in force now.",
      "",
      "What is paid already is never paid again."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:settled",
      "1:it failed again, or another process holds the period",
      "2:bad usage, or nothing to restart: nothing was changed",
      "3:a person must approve or reject it first: nothing was paid"
    },
    footerHeading = "%nExample:%n",
    footer = "  palmares restart invites 2026-W47 --reason 'Redis is back'")
final class RestartCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();
  @Mixin private Actor actor = new Actor();

  RestartCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Exception {
    var answer = new ApprovalDecision(actor.by(), actor.reason(), null);
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.closing("restart"), boards)) {
      Period period = target.find(app, boards);
      return RefusalMessages.of(
          () -> {
            app.get(DuePeriods.class).requireOver(period);
            return restart(app, period, answer);
          });
    }
  }

  private int restart(RunningApplication app, Period period, ApprovalDecision answer) {
    app.get(Approvals.class).restart(period.id(), answer);
    ClosingResult closed =
        app.get(Closings.class)
            .close(
                period.id(),
                new ClosingCause("palmares restart", answer.by()),
                step -> session.terminal().note("  " + step));
    return switch (closed.outcome()) {
      case SETTLED, ALREADY_SETTLED -> {
        session.terminal().print("%s is settled".formatted(period.label()));
        yield 0;
      }
      case WAITS -> new HoldNotice(session.terminal(), app.get(Revisions.class)).print(closed);
      case FAILED ->
          throw UserError.failed("%s failed again: %s".formatted(period.label(), closed.detail()));
      case BUSY, LOST ->
          throw UserError.failed(
              "%s is held by another process that is closing it".formatted(period.label()));
    };
  }
}
