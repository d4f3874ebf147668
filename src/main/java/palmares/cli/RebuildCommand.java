package palmares.cli;

import java.util.concurrent.Callable;
import palmares.api.ops.MaintenanceResource;
import palmares.api.ops.MaintenanceResource.RebuildRequest;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Rebuilds a live board from its journal. */
@Command(
    name = "rebuild",
    description = {
      "Rebuilds a live board that Redis has lost, from the events that PostgreSQL has.",
      "",
      "Every event is decided again, and each decision must be the same, so that scores, ties, ids"
          + " and undos are as before. Meanwhile writers and readers get an answer that asks them"
          + " to retry. May be killed and run again. A period that is filled needs no rebuild."
    },
    exitCodeList = {
      "0:the live board is rebuilt",
      "1:events are missing or differ, some would be lost, or another process holds the period",
      "2:bad usage, an unknown board or period, or a live board that exists: nothing was changed"
    },
    footer = "  palmares rebuild invites 2026-W47")
final class RebuildCommand extends ApiCommand implements Callable<Integer> {
  @Mixin private PeriodArgument target = new PeriodArgument();

  @Option(
      names = "--replace",
      description =
          "Also replaces a live board that exists, such as one that Redis restored from an older"
              + " state. What only Redis has is kept.")
  private boolean replace;

  @Option(
      names = "--accept-loss",
      description =
          "Gives up events that are neither in PostgreSQL nor in Redis, and what a sealed period"
              + " lacks; all other events are kept. Needs --reason; the loss is recorded in the"
              + " audit log, the manifest and the report.")
  private boolean acceptLoss;

  @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

  RebuildCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (acceptLoss && !acting.hasReason()) {
      throw UserError.badInput("--accept-loss needs a --reason");
    }
    var order = new RebuildRequest(acting.reason("palmares rebuild"), replace, acceptLoss);
    return act(
        acting,
        MaintenanceResource.class,
        (maintenance, call) -> maintenance.rebuild(target.board(), target.period(), order, call));
  }
}
