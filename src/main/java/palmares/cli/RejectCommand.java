package palmares.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.operations.amendment.Amendments;
import palmares.period.Period;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.closing.ApprovalDecision;
import palmares.settlement.closing.Approvals;
import palmares.settlement.outcome.Revision;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Rejects a held closing or an amendment. */
@Command(
    name = "reject",
    description = {
      "Rejects a held closing or an amendment: nothing of it is paid.",
      "",
      "A rejected closing stays unpaid until 'palmares restart' computes its ranks and awards"
          + " again, with the exclusions in force then. A rejected amendment can still be read."
    },
    exitCodeList = {
      "0:rejected",
      "1:another process holds the period",
      "2:bad usage, or nothing to reject: nothing was changed"
    },
    customSynopsis = {
      "palmares reject [OPTIONS] BOARD PERIOD --reason TEXT",
      "   or: palmares reject [OPTIONS] --batch N --reason TEXT"
    },
    footer = "  palmares reject invites 2026-W47 --reason 'the first three are one person'")
final class RejectCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private BoardFilter.WithPeriod target = new BoardFilter.WithPeriod();

  @Option(names = "--batch", paramLabel = "N", description = ApproveCommand.BATCH)
  private @Nullable Long batch;

  @Option(names = "--revision", paramLabel = "N", description = ApproveCommand.EXPECTED_REVISION)
  private @Nullable Integer revision;

  @Mixin private Actor actor = new Actor();

  RejectCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String by = actor.by();
    String reason = actor.reason();
    if (batch != null) {
      return rejectMany(batch, by, reason);
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start("reject", boards)) {
      Period period = target.find(app, boards);
      if (period.state().isSettled()) {
        app.get(Amendments.class).reject(period.id(), revision, by, reason);
        session.print("the amendment of %s is rejected", period.label());
        return 0;
      }
      if (revision != null && revision != Revision.FIRST) {
        throw UserError.badInput("%s is held in revision 1, not %d", period.label(), revision);
      }
      app.get(Approvals.class).reject(period.id(), new ApprovalDecision(by, reason, null));
      session.print(
          "%1$s is rejected, and not paid; 'palmares restart %1$s --reason TEXT' computes it again",
          period.label());
      return 0;
    }
  }

  private int rejectMany(long id, String by, String reason) {
    if (target.isGiven() || revision != null) {
      throw UserError.badUsage("--batch takes no BOARD, PERIOD and --revision");
    }
    try (RunningApplication app = session.start("reject", session.boards())) {
      var work = new BatchWork(session, app);
      return work.run(work.batches().reject(id, by, reason));
    }
  }
}
