package palmares.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.operations.amendment.Amendment;
import palmares.operations.amendment.Amendments;
import palmares.period.Period;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.outcome.Revision;
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
  @Mixin private Actor actor = new Actor();

  AmendCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    int top = options.top();
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start("amend", boards)) {
      Period period = target.find(app, boards);
      var request = options.request(period.board(), Actor.by(), actor.reason());
      Optional<Amendment> prepared = app.get(Amendments.class).prepare(period.id(), request);
      if (prepared.isEmpty()) {
        session.print(
            "nothing would change: revision %d of %s stays in force",
            period.revision(), period.label());
        return 0;
      }
      print(prepared.get(), period, top);
      return CloseCommand.EXIT_HELD;
    }
  }

  private void print(Amendment amendment, Period period, int top) {
    AmendmentReport.of(amendment, top).forEach(session::print);
    Revision revision = amendment.revision();
    revision.heldFor().forEach(session::print);
    session.print(
        "not posted yet: 'palmares approve %1$s --revision %2$d%3$s --reason ...' posts it,"
                .formatted(
                    period.label(),
                    revision.number(),
                    revision.heldFor().isEmpty() ? "" : " --expect " + revision.digest())
            + " 'palmares reject %s --revision %d --reason ...' drops it"
                .formatted(period.label(), revision.number()));
  }
}
