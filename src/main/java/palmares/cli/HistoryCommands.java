package palmares.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.api.http.InputSentences;
import palmares.api.ops.CatalogueResource;
import palmares.api.ops.HistoryResource;
import palmares.api.ops.Listing;
import palmares.cli.launch.Client;
import palmares.cli.terminal.CommandSentences.OnlyWith;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that read what members and boards have reached over all settled periods. */
final class HistoryCommands {
  private HistoryCommands() {}

  /** Shows a member's ranks and awards over all settled periods of a board, or of all boards. */
  @Command(
      name = "member",
      description = {
        "Shows a member's lines in the settled periods of a board, the latest first, and its"
            + " record: best rank and points, wins, podiums, awards and streaks.",
        "",
        "A streak is a run of consecutive settled periods of the board: with a line, or with the"
            + " rank --top or a better one. The current streak reaches to the latest settled"
            + " period.",
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
  static final class MemberCommand extends ReadCommand {
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

    @Override
    void check() {
      if (words.size() == 1 && (record || after != null)) {
        throw UserError.badUsage(new OnlyWith(List.of("--record", "--after"), "BOARD MEMBER"));
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

  /** Shows the hall of fame of a board. */
  @Command(
      name = "fame",
      description = {
        "Shows the hall of fame of a board: the members with the most wins (rank 1), podiums (rank"
            + " 3 or better) and awards, and with the best points in one period.",
        "",
        "It covers all settled periods, each in the revision in force. Equal numbers share a rank."
      },
      exitCodeList = {
        "0:all is shown",
        "1:it could not be written",
        "2:bad usage, or an unknown board"
      },
      footer = {"  palmares fame invites", "  palmares fame invites --count 100 --format json"})
  static final class FameCommand extends ReadCommand {
    private static final int MAX_COUNT = 1_000;

    @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
    private String board = "";

    @Option(
        names = "--count",
        paramLabel = "N",
        defaultValue = "10",
        description = "How many members of each kind (default: 10, at most 1000).")
    private int count;

    @Override
    void check() {
      if (count < 1 || count > MAX_COUNT) {
        throw UserError.badUsage(new InputSentences.OutOfRange("--count", 1, MAX_COUNT, count));
      }
    }

    @Override
    Listing read(Client client) {
      return client.get(HistoryResource.class).fame(board, count);
    }
  }

  /** Lists the invites that must qualify before their inviter is credited. */
  @Command(
      name = "invites",
      description = {
        "Lists the invites that must qualify before their inviter is credited, by board, the latest"
            + " first.",
        "",
        "An invite is pending until its deadline. Then it is credited or lapsed. If it qualified"
            + " after the period of its credit was closed, it is late, and 'palmares late' lists"
            + " the event on which a person decides; it is dismissed if that does not count. It is"
            + " capped if the inviter had reached a limit, and reversed if a person accepted the"
            + " event that takes its credit back."
      },
      exitCodeList = {"0:all is shown", "1:it could not be written", "2:bad usage"},
      footer = {"  palmares invites --pending", "  palmares invites invites --inviter ann"})
  static final class InvitesCommand extends ReadCommand {
    @Mixin private BoardFilter filter = new BoardFilter();

    @Option(
        names = "--inviter",
        paramLabel = "MEMBER",
        description = "Only invites of this member.")
    private @Nullable String inviter;

    @Option(names = "--pending", description = "Only invites that can still qualify.")
    private boolean pending;

    @Mixin private PageOptions pages = new PageOptions();

    @Override
    void check() {
      pages.check();
    }

    @Override
    Listing read(Client client) {
      return pages.read(
          page ->
              client.get(HistoryResource.class).invites(filter.board(), inviter, pending, page));
    }
  }

  /** Shows what all boards paid and closed in a month. */
  @Command(
      name = "month",
      description = {
        "Shows what each board paid in a month, by currency, and what became of its periods.",
        "",
        "A payment counts in the month in which it was posted, and so does that of an amendment."
            + " Net is what members got less what they gave back. The board '(all)' is the sum of"
            + " all boards. A held or unsettled period counts in the month in which it was due."
      },
      exitCodeList = {"0:all is shown", "1:it could not be written", "2:bad usage"},
      footer = {
        "  palmares month 2026-11",
        "  palmares month 2026-11 --zone Europe/Berlin --format csv --out november.csv",
        "  palmares month 2026-11 --periods --format json"
      })
  static final class MonthCommand extends ReadCommand {
    @Parameters(index = "0", paramLabel = "MONTH", description = "The month, such as 2026-11.")
    private String month = "";

    @Option(
        names = "--zone",
        paramLabel = "ZONE",
        defaultValue = "UTC",
        description = "The time zone of the month's boundaries (default: UTC).")
    private String zone = "UTC";

    @Option(
        names = "--periods",
        description = "The periods of each board, instead of the sums; a table has both.")
    private boolean periods;

    @Override
    Listing read(Client client) {
      HistoryResource history = client.get(HistoryResource.class);
      return periods ? history.monthPeriods(month, zone) : history.month(month, zone);
    }
  }

  /** Shows which members move between the boards of a family. */
  @Command(
      name = "tiers",
      description = {
        "Shows which members move up and down between the boards of a family after a settled"
            + " period.",
        "The sender decides which board a member's next events name."
      },
      exitCodeList = {
        "0:the list is complete",
        "1:the period is not settled yet on every board of the family",
        "2:bad usage, or an unknown family or period"
      },
      footer = "  palmares tiers league 2026-W47")
  static final class TiersCommand extends ReadCommand {

    @Parameters(index = "0", paramLabel = "FAMILY", description = "As board files name it.")
    private String family = "";

    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "PERIOD",
        description = "The period's name (default: the latest settled one).")
    private @Nullable String period;

    @Override
    Listing read(Client client) {
      return client.get(CatalogueResource.class).moves(family, period);
    }
  }
}
