package palmares.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.period.Period;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.manifest.Manifests;
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
final class ManifestCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();

  @Option(
      names = "--revision",
      paramLabel = "N",
      description = "The revision (default: the one in force).")
  private @Nullable Integer revision;

  ManifestCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Catalogue boards = session.boards();
    try (RunningApplication app = session.startWithoutRedis("manifest", boards)) {
      Period period = target.find(app, boards);
      int number = revision == null ? period.revision() : revision;
      var manifest =
          app.get(Manifests.class)
              .find(period, number)
              .orElseThrow(
                  () ->
                      UserError.badInput(
                          "revision %d of %s has no manifest: only a posted revision has one",
                          number, period.label()));
      session.print(manifest.body() + "sha-256: " + manifest.hash());
    }
    return 0;
  }
}
