package palmares.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ClosingResource.Rejection;
import palmares.api.ops.ReasonRequest;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
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
final class RejectCommand extends ApiCommand implements Callable<Integer> {
  @Mixin private BoardFilter.WithPeriod target = new BoardFilter.WithPeriod();

  @Option(names = "--batch", paramLabel = "N", description = ApproveCommand.BATCH)
  private @Nullable Long batch;

  @Option(names = "--revision", paramLabel = "N", description = ApproveCommand.EXPECTED_REVISION)
  private @Nullable Integer revision;

  @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

  RejectCommand(Session session) {
    super(session, LaunchOptions.of("reject"));
  }

  @Override
  public Integer call() {
    if (batch != null) {
      return rejectMany(batch);
    }
    var named = target.required();
    var rejection = new Rejection(acting.reason(), revision);
    return act(
        acting,
        ClosingResource.class,
        (closings, call) -> closings.reject(named.board(), named.period(), rejection, call));
  }

  private int rejectMany(long id) {
    if (target.isGiven() || revision != null) {
      throw UserError.badUsage("--batch takes no BOARD, PERIOD and --revision");
    }
    var order = new ReasonRequest(acting.reason());
    return act(
        acting, BatchResource.class, (batches, call) -> batches.rejectBatch(id, order, call));
  }
}
