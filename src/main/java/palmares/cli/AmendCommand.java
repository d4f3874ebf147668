package palmares.cli;

import java.util.concurrent.Callable;
import palmares.api.ops.AmendmentResource;
import palmares.api.ops.AmendmentResource.AmendmentOrder;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prepares an amendment of a settled period. */
@Command(
    name = "amend",
    description = {
      "Computes the next revision of a settled period: with the exclusions that are in force now,"
          + " the accepted late events, other rules, or corrected points.",
      "",
      "Shows whose rank and awards change. Nothing is paid and nothing changes until 'palmares"
          + " approve', which posts the differences only. 'palmares what-if' shows the same and"
          + " keeps nothing."
    },
    exitCodeList = {
      "0:nothing would change, and nothing is kept",
      "1:another process holds the period",
      "2:bad usage, or the period cannot be amended: nothing was changed",
      "3:prepared, and must be approved or rejected"
    },
    footer = {
      "  palmares amend invites 2026-W47 --reason 'bots excluded'",
      "  palmares amend invites 2026-W47 --points ann=1200 --reason 'double count, ticket 17'",
      "  palmares amend invites 2026-W47 --rules right.yml --reason 'the third prize was 300'"
    })
final class AmendCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();

  @Mixin private AmendmentOptions options = new AmendmentOptions();

  @Mixin private Acting.WithReason acting = new Acting.WithReason();

  AmendCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    AmendmentOrder order = options.order(acting.reason());
    return acting.run(
        session,
        LaunchOptions.of("amend"),
        (app, call) ->
            app.get(AmendmentResource.class).amend(target.board(), target.period(), order, call));
  }
}
