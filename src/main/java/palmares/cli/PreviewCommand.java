package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.api.ops.Listing;
import palmares.api.ops.PeriodResource;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what a period would pay. */
@Command(
    name = "preview",
    description = {
      "Shows what an open period would pay if it ended now, what a held one will pay if a person"
          + " approves it, or what a settled one has paid. Says what happens next. Pays nothing and"
          + " keeps nothing.",
      "",
      "An open period is computed from its journal, which is drained first.",
      "",
      "CSV and JSON have the members with their amounts, in the columns of 'palmares report'; the"
          + " sums go to standard error."
    },
    exitCodeList = {
      "0:shown",
      "2:bad usage, or a period that cannot be computed now",
      "3:shown, and nothing is paid before a person approves or restarts it"
    },
    footer = {
      "  palmares preview invites 2026-W47 --top 20",
      "  palmares preview invites 2026-W47 --format csv --out preview.csv"
    })
final class PreviewCommand extends ReadCommand {

  @Mixin private PeriodArgument target = new PeriodArgument();

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "Only the first N places (default: 10 in a table, else all).")
  private @Nullable Integer top;

  PreviewCommand(Session session) {
    super(session);
  }

  @Override
  void check() {
    Arguments.atLeast(1, "--top", top);
  }

  @Override
  Listing read(Client client) {
    return client.get(PeriodResource.class).preview(target.board(), target.period(), top);
  }
}
