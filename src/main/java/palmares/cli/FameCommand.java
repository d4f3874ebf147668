package palmares.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.UserError;
import palmares.operations.report.HallOfFame;
import palmares.operations.report.HallOfFame.FameLine;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the hall of fame of a board. */
@Command(
    name = "fame",
    description = {
      "Shows the hall of fame of a board: the members with the most wins (rank 1), podiums (rank 3"
          + " or better) and awards, and with the best points in one period.",
      "",
      "It covers all settled periods, each in the revision in force. Equal numbers share a rank."
    },
    exitCodeList = {
      "0:all is shown",
      "1:it could not be written",
      "2:bad usage, or an unknown board"
    },
    footer = {"  palmares fame invites", "  palmares fame invites --count 100 --format json"})
final class FameCommand implements Callable<Integer> {
  private static final int MAX_COUNT = 1_000;

  private static final OutputTable<FameLine> COLUMNS =
      new OutputTable<FameLine>()
          .text("most", FameLine::what)
          .text("currency", FameLine::currency)
          .number("rank", FameLine::rank)
          .text("member", FameLine::member)
          .number("number", FameLine::number)
          .text("period", FameLine::period);

  private final Session session;

  @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
  private String board = "";

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many members of each kind (default: 10, at most 1000).")
  private int count;

  @Mixin private Output output = new Output();

  FameCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (count < 1 || count > MAX_COUNT) {
      throw UserError.badUsage("--count is 1 to %d, not %d", MAX_COUNT, count);
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.startWithoutRedis("fame", boards)) {
      BoardId id = new Arguments(boards, app).board(board);
      List<FameLine> lines = app.get(HallOfFame.class).of(id, count);
      output.write(
          session, writer -> COLUMNS.write(output, writer, "no settled period", lines::forEach));
    }
    return 0;
  }
}
