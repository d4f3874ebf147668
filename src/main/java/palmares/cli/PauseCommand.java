package palmares.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.UserError;
import palmares.period.BoardPauses;
import palmares.period.BoardPauses.Pause;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
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
final class PauseCommand implements Callable<Integer> {
  private static final OutputTable<Pause> COLUMNS =
      new OutputTable<Pause>()
          .text("board", Pause::board)
          .text("since", Pause::at)
          .wrapped("by", Pause::by)
          .wrapped("reason", Pause::reason);

  private final Session session;

  @Parameters(index = "0", arity = "0..1", paramLabel = "BOARD", description = "The board's id.")
  private @Nullable String board;

  @Mixin private OptionalActor actor = new OptionalActor();

  PauseCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (board != null != actor.isGiven()) {
      throw UserError.badUsage("name a BOARD and a --reason, or neither to list paused boards");
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.startWithoutRedis("pause", boards)) {
      BoardPauses pauses = app.get(BoardPauses.class);
      if (board == null) {
        List<Pause> all = pauses.list();
        session.print(all.isEmpty() ? "no board is paused" : COLUMNS.table(all));
        return 0;
      }
      BoardId id = new Arguments(boards, app).board(board);
      pauses.pause(id, actor.by(), actor.reason());
      session.print(
          "%1$s is paused: no closing of it starts until 'palmares resume %1$s --reason TEXT'", id);
      return 0;
    }
  }
}
