package palmares.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.BatchResource.BatchDecision;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ClosingResource.Rejection;
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
          + " Without --expect or --if-match, it prints the digest of what it would reject, and is"
          + " refused."
    },
    exitCodeList = {
      "0:rejected",
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
final class RejectCommand extends ApiCommand implements Callable<Integer> {
  @Mixin private BoardFilter.WithPeriod target = new BoardFilter.WithPeriod();

  @Option(names = "--batch", paramLabel = "N", description = ApproveCommand.BATCH)
  private @Nullable Long batch;

  @Option(names = "--revision", paramLabel = "N", description = ApproveCommand.EXPECTED_REVISION)
  private @Nullable Integer revision;

  @Option(names = "--expect", paramLabel = "DIGEST", description = ApproveCommand.EXPECTED_DIGEST)
  private @Nullable String expect;

  @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

  RejectCommand(Session session) {
    super(session, LaunchOptions.of("reject"));
  }

  @Override
  public Integer call() throws IOException {
    if (batch != null) {
      return rejectMany(batch);
    }
    var named = target.required();
    var rejection = new Rejection(acting.required(), revision, expect);
    return act(
        acting,
        ClosingResource.class,
        (closings, call) -> closings.reject(named.board(), named.period(), rejection, call));
  }

  /** Without a digest, only shows what it would reject. */
  private int rejectMany(long id) throws IOException {
    if (target.isGiven() || revision != null) {
      throw UserError.badUsage("--batch takes no BOARD, PERIOD and --revision");
    }
    if (expect == null) {
      return print(new Output(), BatchResource.class, batches -> batches.sums(id));
    }
    var rejection = new BatchDecision(acting.required(), expect);
    return act(
        acting, BatchResource.class, (batches, call) -> batches.rejectBatch(id, rejection, call));
  }
}
