package palmares.cli;

import java.util.concurrent.Callable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.ReasonRequest;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Resumes the closings of a paused board. */
@Command(
    name = "resume",
    description = "Resumes a paused board: the next sweep closes what is due.",
    exitCodeList = {
      "0:resumed",
      "2:bad usage, an unknown board, or one that is not paused: nothing was changed"
    },
    footer = "  palmares resume invites --reason 'the prizes are right'")
final class ResumeCommand extends ApiCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
  private String board = "";

  @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

  ResumeCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    return act(
        acting,
        BatchResource.class,
        (batches, call) -> batches.resume(board, new ReasonRequest(acting.reason()), call));
  }
}
