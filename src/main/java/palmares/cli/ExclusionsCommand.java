package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.api.ops.ExclusionResource;
import palmares.api.ops.Listing;
import palmares.api.ops.PeriodResource;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists exclusions. */
@Command(
    name = "exclusions",
    description = {
      "Lists exclusions: who, which level, where, when and why. Times are in UTC.",
      "",
      "With --board and --period, lists those that the outcome of the period was computed with, and"
          + " what has changed since; before its seal, those in force for it."
    },
    exitCodeList = {"0:the list is complete", "2:bad usage, or an unknown period or revision"},
    footer = {
      "  palmares exclusions",
      "  palmares exclusions mallory --all",
      "  palmares exclusions --board invites --period 2026-W47 --revision 2"
    })
final class ExclusionsCommand extends ReadCommand {

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "MEMBER",
      description = "Only this member's.")
  private @Nullable String member;

  @Option(names = "--all", description = "Lifted exclusions, too.")
  private boolean all;

  @Option(names = "--board", paramLabel = "BOARD", description = "The board of --period.")
  private @Nullable String board;

  @Option(
      names = "--period",
      paramLabel = "PERIOD",
      description = "Those that this period of --board was computed with.")
  private @Nullable String period;

  @Option(
      names = "--revision",
      paramLabel = "N",
      description = "With --period: those of this revision (default: the one in force).")
  private @Nullable Integer revision;

  @Mixin private PageOptions pages = new PageOptions();

  ExclusionsCommand(Session session) {
    super(session);
  }

  @Override
  void check() {
    pages.check();
    if ((board == null) != (period == null)) {
      throw UserError.badUsage("name both --board and --period");
    }
    if (period == null && revision != null) {
      throw UserError.badUsage("--revision needs a --board and a --period");
    }
    if (period != null && (member != null || all)) {
      throw UserError.badUsage("name a MEMBER or --all, or a --board and a --period");
    }
  }

  @Override
  Listing read(Client client) {
    String of = board;
    String named = period;
    if (of != null && named != null) {
      PeriodResource periods = client.get(PeriodResource.class);
      return pages.read(page -> periods.exclusions(of, named, revision, page));
    }
    ExclusionResource exclusions = client.get(ExclusionResource.class);
    return pages.read(page -> exclusions.list(member, all, page));
  }
}
