package palmares.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.operations.amendment.Amendment;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.period.Period;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.outcome.Revision;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prepares the amendment of a settled period. */
@Command(
    name = "amend",
    description = {
      "Computes a settled period anew beside what stands: with the exclusions that are in force"
          + " now, the late events that were accepted, other rules, or points put right by hand.",
      "",
      "Shows who rises, who falls, what each gets or owes. Nothing is paid and nothing stands"
          + " otherwise until 'palmares approve'; then only the differences are posted. What"
          + " 'palmares what-if' shows, this keeps."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing would change, and nothing is kept",
      "1:another process holds the period",
      "2:bad usage, or a period that cannot be amended: nothing was changed",
      "3:prepared, and waits for a person"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  palmares amend invites 2026-W47 --reason 'bots excluded'",
      "  palmares amend invites 2026-W47 --points ann=1200 --reason 'double count, ticket 17'",
      "  palmares amend invites 2026-W47 --rules right.yml --reason 'the third prize was 300'"
    })
final class AmendCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();
  @Mixin private AmendmentOptions amending = new AmendmentOptions();
  @Mixin private Actor actor = new Actor();

  AmendCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Exception {
    int top = amending.top();
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.of("amend"), boards)) {
      Period period = target.find(app, boards);
      var amendmentRequest =
          new AmendmentRequest(
              actor.by(),
              actor.reason(),
              amending.rules(period.board()),
              amending.points(),
              amending.ties());
      return RefusalMessages.of(
          () ->
              print(app.get(Amendments.class).prepare(period.id(), amendmentRequest), period, top));
    }
  }

  private int print(Optional<Amendment> prepared, Period period, int top) {
    if (prepared.isEmpty()) {
      session
          .terminal()
          .print(
              "nothing would change: revision %d of %s stands"
                  .formatted(period.revision(), period.label()));
      return 0;
    }
    AmendmentReport.of(prepared.get(), top).forEach(session.terminal()::print);
    Revision revision = prepared.get().revision();
    boolean over = !revision.heldFor().isEmpty();
    revision.heldFor().forEach(session.terminal()::print);
    session
        .terminal()
        .print(
            "not posted yet: 'palmares approve %s --revision %d%s --reason ...' posts it, 'palmares"
                    .formatted(
                        period.label(),
                        revision.number(),
                        over ? " --expect " + revision.digest() : "")
                + " reject %s --revision %d --reason ...' drops it"
                    .formatted(period.label(), revision.number()));
    return CloseCommand.WAITS;
  }
}
