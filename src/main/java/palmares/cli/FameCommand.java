package palmares.cli;

import palmares.api.ops.HistoryResource;
import palmares.api.ops.Listing;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
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
final class FameCommand extends ReadCommand {
  private static final int MAX_COUNT = 1_000;

  @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
  private String board = "";

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many members of each kind (default: 10, at most 1000).")
  private int count;

  FameCommand(Session session) {
    super(session);
  }

  @Override
  void check() {
    if (count < 1 || count > MAX_COUNT) {
      throw UserError.badUsage("--count is 1 to %d, not %d", MAX_COUNT, count);
    }
  }

  @Override
  Listing read(Client client) {
    return client.get(HistoryResource.class).fame(board, count);
  }
}
