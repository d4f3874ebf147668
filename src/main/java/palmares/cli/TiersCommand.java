package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.api.ops.InstallationResource;
import palmares.api.ops.Listing;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows which members move between the boards of a family. */
@Command(
    name = "tiers",
    description = {
      "Shows which members move up and down between the boards of a family after a settled period.",
      "The sender decides which board a member's next events name."
    },
    exitCodeList = {
      "0:the list is complete",
      "1:the period is not settled yet on every board of the family",
      "2:bad usage, or an unknown family or period"
    },
    footer = "  palmares tiers league 2026-W47")
final class TiersCommand extends ReadCommand {

  @Parameters(index = "0", paramLabel = "FAMILY", description = "As board files name it.")
  private String family = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PERIOD",
      description = "The period's name (default: the latest settled one).")
  private @Nullable String period;

  TiersCommand(Session session) {
    super(session);
  }

  @Override
  Listing read(Client client) {
    return client.get(InstallationResource.class).moves(family, period);
  }
}
