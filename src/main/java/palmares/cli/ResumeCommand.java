package palmares.cli;

import java.util.concurrent.Callable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.period.BoardPauses;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
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

  @Mixin private Actor actor = new Actor();

  ResumeCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Catalogue boards = session.boards();
    try (RunningApplication app = session.startWithoutRedis("resume", boards)) {
      BoardId id = new Arguments(boards, app).board(board);
      app.get(BoardPauses.class).resume(id, actor.by(), actor.reason());
      session.print("%s is resumed: the next sweep closes what is due", id);
      return 0;
    }
  }
}
