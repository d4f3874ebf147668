package palmares.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.operations.amendment.Amendment;
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
      "Shows how a settled period would change with other rules, other points, or without some of"
          + " its members. Writes nothing.",
      "",
      "Includes what 'palmares amend' would: the exclusions in force now and the accepted late"
          + " events."
    },
    exitCodeList = {"0:shown", "2:bad usage, or the period is not settled"},
    footer = {
      "  palmares what-if invites 2026-W47 --without ann --without bob",
      "  palmares what-if invites 2026-W47 --rules other.yml"
    })
final class WhatIfCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();
  @Mixin private AmendmentOptions options = new AmendmentOptions();

  @Option(
      names = "--without",
      paramLabel = "MEMBER",
      description = "As if this member were hidden; may be repeated.")
  private List<String> without = new ArrayList<>();

  WhatIfCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    int top = options.top();
    List<MemberId> hidden = without.stream().map(Arguments::member).toList();
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start("what-if", boards)) {
      Period period = target.find(app, boards);
      var request = options.request(period.board(), Actor.by(), "what if");
      Amendment amendment = app.get(DryRun.class).run(period.id(), request, hidden, top + 1);
      if (amendment.differences().none()) {
        session.print("nothing would change in " + period.label());
      } else {
        AmendmentReport.of(amendment, top).forEach(session::print);
        session.print("nothing was written");
      }
      return 0;
    }
  }
}
