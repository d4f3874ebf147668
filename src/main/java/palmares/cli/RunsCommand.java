package palmares.cli;

import palmares.api.ops.InstallationResource;
import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the runs that closed periods or tried to. */
@Command(
    name = "runs",
    description = "Lists the runs that closed periods or tried to, the latest first.",
    exitCodeList = {"0:the list is complete", "2:bad usage, or an unknown board"},
    footer = {
      "  palmares runs invites --failed --count 50",
      "  palmares runs invites 2026-W47 --steps"
    })
final class RunsCommand extends PagedReadCommand {
  /** Runs whose steps are shown, unless the call says how many. */
  private static final int DEFAULT_RUNS = 20;

  @Option(names = "--failed", description = "Only failed runs, with the reason.")
  private boolean failed;

  @Option(names = "--stack", description = "Also the stack trace of each exception.")
  private boolean stacks;

  @Option(
      names = "--steps",
      description =
          "What each step of a period's closings has done, and how much time a running one needs.")
  private boolean steps;

  RunsCommand(Session session) {
    super(session);
  }

  @Override
  void check() {
    super.check();
    if (steps && (filter.period() == null || failed || stacks)) {
      throw UserError.badUsage("--steps takes a BOARD and a PERIOD, and no --failed and --stack");
    }
  }

  @Override
  Listing page(Client client, PageRequest page) {
    return client
        .get(InstallationResource.class)
        .runs(filter.board(), filter.period(), failed, stacks, page);
  }

  @Override
  Listing read(Client client) {
    if (!steps) {
      return super.read(client);
    }
    var named = filter.required();
    return client
        .get(InstallationResource.class)
        .steps(named.board(), named.period(), pages.count(DEFAULT_RUNS));
  }
}
