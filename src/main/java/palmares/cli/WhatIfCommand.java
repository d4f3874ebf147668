package palmares.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.operations.amendment.Amendment;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.DryRun;
import palmares.period.Period;
import palmares.rules.board.MemberId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what an amendment would change. */
@Command(
    name = "what-if",
    description = {
      "Shows how a settled period would have come out with other rules, other points, or without"
          + " some of its members. Writes nothing.",
      "",
      "Counts what 'palmares amend' would: exclusions in force now, and late events accepted."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:shown", "2:bad usage, or a period that is not settled"},
    footerHeading = "%nExample:%n",
    footer = {
      "  palmares what-if invites 2026-W47 --without ann --without bob",
      "  palmares what-if invites 2026-W47 --rules other.yml"
    })
final class WhatIfCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();
  @Mixin private AmendmentOptions amending = new AmendmentOptions();

  @Option(
      names = "--without",
      paramLabel = "MEMBER",
      description = "As if this member were hidden; may be given several times.")
  private List<String> without = new ArrayList<>();

  WhatIfCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Exception {
    int top = amending.top();
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.of("what-if"), boards)) {
      Period period = target.find(app, boards);
      var amendmentRequest =
          new AmendmentRequest(
              Actor.self(),
              "what if",
              amending.rules(period.board()),
              amending.points(),
              amending.ties());
      return RefusalMessages.of(
          () -> {
            Amendment amendment =
                app.get(DryRun.class).run(period.id(), amendmentRequest, hidden(), top + 1);
            if (amendment.differences().none()) {
              session.terminal().print("nothing would change in %s".formatted(period.label()));
            } else {
              AmendmentReport.of(amendment, top).forEach(session.terminal()::print);
              session.terminal().print("nothing was written");
            }
            return 0;
          });
    }
  }

  private List<MemberId> hidden() {
    try {
      return without.stream().map(MemberId::new).toList();
    } catch (IllegalArgumentException e) {
      throw UserError.badInput("--without: " + e.getMessage());
    }
  }
}
