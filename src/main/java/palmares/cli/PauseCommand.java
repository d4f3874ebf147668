package palmares.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.ReasonRequest;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Pauses the closings of a board, or lists the paused boards. */
@Command(
    name = "pause",
    description = {
      "Pauses a board, or lists the paused boards.",
      "",
      "No closing of a paused board starts, on any node; one that runs goes on. Events are taken as"
          + " always, and count. 'palmares resume' ends the pause."
    },
    customSynopsis = {
      "palmares pause [OPTIONS]",
      "   or: palmares pause [OPTIONS] BOARD --reason TEXT"
    },
    exitCodeList = {
      "0:paused, or the list is complete",
      "2:bad usage, an unknown board, or one that is paused: nothing was changed"
    },
    footer = "  palmares pause invites --reason 'the prizes are checked until Monday'")
final class PauseCommand extends ApiCommand implements Callable<Integer> {
  @Parameters(index = "0", arity = "0..1", paramLabel = "BOARD", description = "The board's id.")
  private @Nullable String board;

  @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

  @Mixin private Output output = new Output();

  PauseCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws IOException {
    if (board != null != acting.hasReason()) {
      throw UserError.badUsage("name a BOARD and a --reason, or neither to list paused boards");
    }
    String paused = board;
    if (paused == null) {
      return print(output, BatchResource.class, batches -> batches.pauses());
    }
    var order = new ReasonRequest(acting.reason(""));
    return act(acting, BatchResource.class, (batches, call) -> batches.pause(paused, order, call));
  }
}
