package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.api.ops.Listing;
import palmares.api.ops.PeriodResource;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the manifest of a posted revision. */
@Command(
    name = "manifest",
    description = {
      "Prints what a posted revision rests on, as recorded when it was paid: rules, boundaries,"
          + " population, sums, checksums, who approved it.",
      "",
      "The last line is the SHA-256 of all lines above it. 'palmares verify' compares the manifest"
          + " with the tables."
    },
    exitCodeList = {"0:printed", "2:bad usage, or no such manifest"},
    footer = "  palmares manifest invites 2026-W47 --revision 1")
final class ManifestCommand extends ReadCommand {

  @Mixin private PeriodArgument target = new PeriodArgument();

  @Option(
      names = "--revision",
      paramLabel = "N",
      description = "The revision (default: the one in force).")
  private @Nullable Integer revision;

  ManifestCommand(Session session) {
    super(session);
  }

  @Override
  Listing read(Client client) {
    return client.get(PeriodResource.class).manifest(target.board(), target.period(), revision);
  }
}
