package palmares.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.HistoryResource;
import palmares.api.ops.Listing;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a member's ranks and awards over all settled periods of a board, or of all boards. */
@Command(
    name = "member",
    description = {
      "Shows a member's lines in the settled periods of a board, the latest first, and its record:"
          + " best rank and points, wins, podiums, awards and streaks.",
      "",
      "A streak is a run of consecutive settled periods of the board: with a line, or with the rank"
          + " --top or a better one. The current streak reaches to the latest settled period.",
      "",
      "Without a BOARD, shows the member's lines on all boards."
    },
    customSynopsis = "palmares member [OPTIONS] [BOARD] MEMBER",
    exitCodeList = {
      "0:all is shown",
      "1:it could not be written",
      "2:bad usage, or an unknown board, member or period"
    },
    footer = {
      "  palmares member invites ann",
      "  palmares member ann --format xlsx --out ann.xlsx",
      "  palmares member invites ann --record --top 10 --format json",
      "  palmares member invites ann --format csv --out ann.csv"
    })
final class MemberCommand extends ReadCommand {
  @Parameters(
      arity = "1..2",
      paramLabel = "[BOARD] MEMBER",
      hideParamSyntax = true,
      description = "The board's id, and the member's; without a board, all boards.")
  private List<String> words = List.of();

  @Option(
      names = "--record",
      description = "The member's record, instead of its lines; a table has both.")
  private boolean record;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "3",
      description = "The worst rank that counts for the streaks in the top (default: 3).")
  private int top;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Only the latest N lines of a board (default: 50 in a table, else all).")
  private @Nullable Integer count;

  @Option(
      names = "--after",
      paramLabel = "PERIOD",
      description = "The last period of the page before: only lines of earlier ones.")
  private @Nullable String after;

  MemberCommand(Session session) {
    super(session);
  }

  @Override
  void check() {
    if (words.size() == 1 && (record || after != null)) {
      throw UserError.badUsage("--record and --after need a BOARD and a MEMBER");
    }
    Arguments.atLeast(1, "--top", top);
    Arguments.atLeast(1, "--count", count);
  }

  @Override
  Listing read(Client client) {
    HistoryResource history = client.get(HistoryResource.class);
    if (words.size() == 1) {
      return history.everywhere(words.get(0), count);
    }
    String board = words.get(0);
    String member = words.get(1);
    return record
        ? history.record(board, member, top)
        : PageOptions.namingNext(history.member(board, member, top, count, after));
  }
}
