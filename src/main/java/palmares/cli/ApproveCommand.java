package palmares.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.BatchResource.BatchDecision;
import palmares.api.ops.Call;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ClosingResource.Approval;
import palmares.api.ops.Task;
import palmares.cli.BoardFilter.WithPeriod.Named;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Approves a held closing or an amendment. */
@Command(
    name = "approve",
    description = {
      "Approves a held closing or an amendment, and pays it.",
      "",
      "'palmares preview BOARD PERIOD' shows what a closing will pay, 'palmares report --revision"
          + " N' shows an amendment. Without --expect or --if-match, it prints the digest of what"
          + " it would approve, and is refused. The same approval again is answered with what it"
          + " has done, and does nothing more."
    },
    exitCodeList = {
      "0:approved and paid, now or by the same approval before",
      "1:it failed, or another process holds the period",
      "2:bad usage, nothing to approve, no or another digest, ties without --ties, or other"
          + " exclusions without --accept-exclusions: nothing was changed",
      "3:not paid: a second person must approve it, or it passes a budget or was ranked with other"
          + " exclusions, which you were not shown"
    },
    customSynopsis = {
      "palmares approve [OPTIONS] BOARD PERIOD --expect DIGEST --reason TEXT",
      "   or: palmares approve [OPTIONS] --batch N",
      "   or: palmares approve [OPTIONS] --batch N --expect DIGEST --reason TEXT"
    },
    footer = {
      "  palmares approve invites 2026-W47 --expect 5e6f7a8b --reason 'checked the first ten'",
      "  palmares approve --batch 7 --expect 1f2e3d4c --reason 'checked the sum'",
      "  palmares approve invites 2026-W47 --revision 2 --expect 9a0b1c2d --reason 'no cheater'"
    })
final class ApproveCommand extends DecisionCommand {
  @Option(
      names = "--ties",
      paramLabel = "HOW",
      description =
          "Where the rules hold ties for a decision: 'each' gets the prize of the shared rank, all"
              + " 'share' the prizes of the places that they take, or each gets that of its place"
              + " in 'order'. Not with --batch.")
  private @Nullable String ties;

  @Option(
      names = "--accept-exclusions",
      description =
          "Pays a closing as it was ranked, although exclusions that you were shown have been made"
              + " or lifted since. Not with --batch.")
  private boolean acceptExclusions;

  ApproveCommand(Session session) {
    super(session);
  }

  @Override
  Task decide(ClosingResource closings, Named period, String reason, Call call) {
    var approval = new Approval(reason, revision, ties, expect, acceptExclusions);
    return closings.approve(period.board(), period.period(), approval, call);
  }

  @Override
  public Integer call() throws IOException {
    if (isOfBatch() && ties != null) {
      throw UserError.badUsage("--batch takes no --ties");
    }
    if (isOfBatch() && acceptExclusions) {
      throw UserError.badUsage("--batch takes no --accept-exclusions: approve the period alone");
    }
    return super.call();
  }

  @Override
  Task decide(BatchResource batches, long id, BatchDecision decision, Call call) {
    return batches.approveBatch(id, decision, call);
  }
}
