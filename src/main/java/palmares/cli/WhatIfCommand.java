package palmares.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.amendment.Amendment;
import palmares.amendment.WhatIf;
import palmares.amendment.Wish;
import palmares.board.MemberId;
import palmares.catalogue.Catalogue;
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Complaint;
import palmares.period.Period;
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

  @Mixin private OnePeriod target = new OnePeriod();
  @Mixin private Amending amending = new Amending();

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
    try (Running app = session.start(Launch.of("what-if"), boards)) {
      Period period = target.find(app, boards);
      var wish =
          new Wish(
              Responsible.self(),
              "what if",
              amending.rules(period.board()),
              amending.points(),
              amending.ties());
      return Refusals.of(
          () -> {
            Amendment amendment = app.get(WhatIf.class).ask(period.id(), wish, hidden(), top + 1);
            if (amendment.differences().none()) {
              session.terminal().print("nothing would change in %s".formatted(period.label()));
            } else {
              AmendmentSheet.of(amendment, top).forEach(session.terminal()::print);
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
      throw Complaint.badInput("--without: " + e.getMessage());
    }
  }
}
