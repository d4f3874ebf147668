package palmares.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.api.ops.InstallationResource;
import palmares.api.ops.MaintenanceResource;
import palmares.api.ops.MaintenanceResource.VerificationRequest;
import palmares.api.ops.PageRequest;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Verifies settled periods. */
@Command(
    name = "verify",
    description = {
      "Derives every line and payment of settled periods again, from the journal, the rules and the"
          + " exclusions, and compares them with the stored ones.",
      "Without a BOARD it also finds rows that belong to no outcome and outcomes that were erased,"
          + " and prints the last link of each chain.",
      "Prints the first 50 differences, and a last line that counts everything."
    },
    exitCodeList = {
      "0:nothing is missing, extra or unequal",
      "1:there are differences",
      "2:bad usage, an unknown board or period, or one that is not settled"
    },
    footer = {
      "  palmares verify invites 2026-W47",
      "  palmares verify --link 'manifests 812 e07b...'",
      "  palmares verify --history"
    })
final class VerifyCommand extends ApiCommand implements Callable<Integer> {
  private static final int MAX_NIGHTS = 20;

  @Mixin private BoardFilter.WithPeriod filter = new BoardFilter.WithPeriod();

  @Option(names = "--history", description = "Shows what the last 20 nightly verifications found.")
  private boolean history;

  @Option(
      names = "--link",
      paramLabel = "LINK",
      description =
          "A link of a chain that you kept: CHAIN N HASH, a line that an earlier verification"
              + " printed, or the data of a fact. If the database has another one, this is a"
              + " difference. May be repeated.")
  private List<String> links = new ArrayList<>();

  @Mixin private Output output = new Output();

  @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

  VerifyCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws IOException {
    if (history) {
      return print(
          output,
          InstallationResource.class,
          installation -> installation.verifications(new PageRequest(MAX_NIGHTS, null)));
    }
    var order =
        new VerificationRequest(
            acting.reason("palmares verify"),
            filter.board(),
            filter.period(),
            links.isEmpty() ? null : links);
    return act(
        acting, MaintenanceResource.class, (maintenance, call) -> maintenance.verify(order, call));
  }
}
