package palmares.cli;

import java.util.concurrent.Callable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.ReasonOrder;
import palmares.cli.launch.LaunchOptions;
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
final class ResumeCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
  private String board = "";

  @Mixin private Acting.WithReason acting = new Acting.WithReason();

  ResumeCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return acting.run(
        session,
        LaunchOptions.withoutRedis("resume"),
        (app, call) ->
            app.get(BatchResource.class).resume(board, new ReasonOrder(acting.reason()), call));
  }
}
