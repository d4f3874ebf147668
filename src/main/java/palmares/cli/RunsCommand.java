package palmares.cli;

import palmares.api.ops.InstallationResource;
import palmares.api.ops.Listing;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
final class RunsCommand extends Reading {

  @Mixin private BoardFilter.WithPeriod filter = new BoardFilter.WithPeriod();

  @Option(names = "--failed", description = "Only failed runs, with the reason.")
  private boolean failed;

  @Option(names = "--stack", description = "Also the stack trace of each exception.")
  private boolean stacks;

  @Option(
      names = "--steps",
      description =
          "What each step of a period's closings has done, and how much time a running one needs.")
  private boolean steps;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many to show (default: 20).")
  private int count;

  RunsCommand(Session session) {
    super(session, LaunchOptions.withoutRedis("runs"));
  }

  @Override
  void check() {
    Arguments.atLeast(1, "--count", count);
    if (steps && (filter.period() == null || failed || stacks)) {
      throw UserError.badUsage("--steps takes a BOARD and a PERIOD, and no --failed and --stack");
    }
  }

  @Override
  Listing read(RunningApplication app) {
    if (steps) {
      var named = filter.required();
      return app.get(InstallationResource.class).steps(named.board(), named.period(), count);
    }
    return app.get(InstallationResource.class)
        .runs(filter.board(), filter.period(), failed, stacks, count);
  }
}
