package palmares.cli;

import java.util.concurrent.Callable;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ReasonOrder;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.Session;
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
    footer = "  palmares restart invites 2026-W47 --reason 'Redis is back'")
final class RestartCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();

  @Mixin private Acting.WithReason acting = new Acting.WithReason();

  RestartCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return acting.run(
        session,
        LaunchOptions.closing("restart"),
        (app, call) ->
            app.get(ClosingResource.class)
                .restart(target.board(), target.period(), new ReasonOrder(acting.reason()), call));
  }
}
