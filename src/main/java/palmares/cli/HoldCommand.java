package palmares.cli;

import java.util.concurrent.Callable;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ReasonRequest;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Keeps a period from being paid without approval. */
@Command(
    name = "hold",
    description = {
      "Keeps a closing from paying until a person approves it, also if the board asks for no"
          + " approval or releases it at an hour. The period closes as far as that.",
      "",
      "--lift takes it back before the period is closed; after that, approve or reject it."
    },
    exitCodeList = {
      "0:held, or no longer held",
      "1:another process works on the period",
      "2:bad usage, or the period is approved, paid or rejected: nothing was changed"
    },
    footer = "  palmares hold invites 2026-W47 --reason 'the gateway sent events twice'")
final class HoldCommand extends ApiCommand implements Callable<Integer> {
  @Mixin private PeriodArgument target = new PeriodArgument();

  @Option(names = "--lift", description = "Lifts the hold.")
  private boolean lift;

  @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

  HoldCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    var reason = new ReasonRequest(acting.reason());
    return act(
        acting,
        ClosingResource.class,
        (closings, call) ->
            lift
                ? closings.liftHold(target.board(), target.period(), reason, call)
                : closings.hold(target.board(), target.period(), reason, call));
  }
}
