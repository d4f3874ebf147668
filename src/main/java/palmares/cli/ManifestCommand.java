package palmares.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.period.Period;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.manifest.Manifests;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what a settled period rests on. */
@Command(
    name = "manifest",
    description = {
      "Prints what a settled period rests on, as it was written down when it was paid: rules,"
          + " boundaries, population, sums, checksums, who approved it.",
      "",
      "The last line is the SHA-256 of all lines above it. 'palmares verify' holds it against the"
          + " tables."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:printed", "2:bad usage, or no such manifest"},
    footerHeading = "%nExample:%n",
    footer = "  palmares manifest invites 2026-W47 --revision 1")
final class ManifestCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();

  @Option(
      names = "--revision",
      paramLabel = "N",
      description = "Which revision's (default: that of the one that stands).")
  private @Nullable Integer revision;

  ManifestCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.of("manifest"), boards)) {
      Period period = target.find(app, boards);
      int number = revision == null ? period.revision() : revision;
      var manifest =
          app.get(Manifests.class)
              .find(period, number)
              .orElseThrow(
                  () ->
                      UserError.badInput(
                          "revision %d of %s has no manifest: only what is settled has one"
                              .formatted(number, period.label())));
      session.terminal().print(manifest.body() + "sha-256: " + manifest.hash());
    }
    return 0;
  }
}
