package palmares.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.AmendmentResource;
import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.api.ops.PeriodResource;
import palmares.cli.launch.Client;
import palmares.cli.terminal.CommandSentences.NameOneOf;
import palmares.cli.terminal.CommandSentences.Needs;
import palmares.cli.terminal.CommandSentences.UseOnlyOne;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the palmarès of settled periods, and all revisions of a period. */
@Command(
    name = "report",
    description = {
      "Shows the palmares of a settled period, of those of a board in a range, or of all of them.",
      "",
      "CSV has the columns period,rank,member,points,reached_at,credits; times are ISO 8601 in"
          + " UTC. Boards with a second key have then_by, adopted ones loss, and those that count"
          + " invites nickname and invite_code. Credits are what was awarded in that currency; each"
          + " reward rule has its own column, 'award:' and the rule's name.",
      "",
      "A period is shown in the revision in force. --revisions lists all revisions, and --revision"
          + " N shows one, whether it is in force, superseded, rejected or not decided yet."
    },
    customSynopsis = {
      "palmares report [OPTIONS] BOARD PERIOD",
      "   or: palmares report [OPTIONS] BOARD PERIOD (--revision N | --revisions)",
      "   or: palmares report [OPTIONS] BOARD (--all | [--from DATE] [--to DATE])"
    },
    exitCodeList = {
      "0:the report is complete",
      "1:it could not be written",
      "2:bad usage, an unknown board or period, or one that is not settled"
    },
    footer = {
      "  palmares report invites 2026-W47 --top 10",
      "  palmares report invites 2026-W47 --revision 1",
      "  palmares report commits-daily --all --format csv --out commits.csv",
      "  palmares report commits-daily --from 2026-11-01 --to 2026-12-01 --format xlsx --out"
          + " nov.xlsx"
    })
final class ReportCommand extends ReadCommand {

  @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
  private String board = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "PERIOD", description = PeriodArgument.NAME)
  private @Nullable String period;

  @Option(names = "--all", description = "Every settled period, the earliest first.")
  private boolean all;

  @Mixin private StartRange range = new StartRange();

  @Option(
      names = "--revision",
      paramLabel = "N",
      description = "That revision of the period, in any status.")
  private @Nullable Integer revision;

  @Option(
      names = "--revisions",
      description = "Lists the revisions of the period: who prepared each, why, and its status.")
  private boolean revisions;

  @Option(
      names = "--differences",
      description = "With --revision: how it differs from the one that it amends.")
  private boolean differences;

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "Only the first N places of each period (default: 100 in a table, else all).")
  private @Nullable Integer top;

  @Override
  Listing read(Client client) {
    PeriodResource periods = client.get(PeriodResource.class);
    String one = period;
    if (one == null) {
      return periods.reports(board, range.from(), range.to(), top);
    }
    if (revisions) {
      return Listing.followed(
          after -> periods.revisions(board, one, new PageRequest(null, after)), null);
    }
    return differences && revision != null
        ? client.get(AmendmentResource.class).differences(board, one, revision)
        : periods.report(board, one, revision, top);
  }

  @Override
  void check() {
    boolean many = all || range.isGiven();
    if (many == (period != null) || all && range.isGiven()) {
      throw UserError.badUsage(NameOneOf.of("PERIOD", "--from DAY --to DAY", "--all"));
    }
    Arguments.atLeast(1, "--top", top);
    if (many && (revision != null || revisions) || revision != null && revisions) {
      throw UserError.badUsage(new UseOnlyOne(List.of("--revision", "--revisions", "--all")));
    }
    if (differences && revision == null) {
      throw UserError.badUsage(Needs.of("--differences", "--revision"));
    }
  }
}
