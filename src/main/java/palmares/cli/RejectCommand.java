package palmares.cli;

import palmares.api.ops.BatchResource;
import palmares.api.ops.BatchResource.BatchDecision;
import palmares.api.ops.Call;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ClosingResource.Rejection;
import palmares.api.ops.Task;
import palmares.cli.BoardFilter.WithPeriod.Named;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;

/** Rejects a held closing or an amendment. */
@Command(
    name = "reject",
    description = {
      "Rejects a held closing or an amendment: nothing of it is paid.",
      "",
      "A rejected closing stays unpaid until 'palmares restart' computes its ranks and awards"
          + " again, with the exclusions in force then. A rejected amendment can still be read."
          + " Without --expect or --if-match, it prints the digest of what it would reject, and is"
          + " refused."
    },
    exitCodeList = {
      "0:rejected, now or by the same rejection before",
      "1:another process holds the period",
      "2:bad usage, nothing to reject, or no or another digest: nothing was changed"
    },
    customSynopsis = {
      "palmares reject [OPTIONS] BOARD PERIOD --expect DIGEST --reason TEXT",
      "   or: palmares reject [OPTIONS] --batch N",
      "   or: palmares reject [OPTIONS] --batch N --expect DIGEST --reason TEXT"
    },
    footer =
        "  palmares reject invites 2026-W47 --expect 5e6f7a8b --reason 'the first three are one"
            + " person'")
final class RejectCommand extends DecisionCommand {
  RejectCommand(Session session) {
    super(session);
  }

  @Override
  Task decide(ClosingResource closings, Named period, String reason, Call call) {
    var rejection = new Rejection(reason, revision, expect);
    return closings.reject(period.board(), period.period(), rejection, call);
  }

  @Override
  Task decide(BatchResource batches, long id, BatchDecision decision, Call call) {
    return batches.rejectBatch(id, decision, call);
  }
}
