package palmares.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.BatchResource.BatchDecision;
import palmares.api.ops.Call;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.Task;
import palmares.cli.BoardFilter.WithPeriod.Named;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that decides on a held closing, an amendment, or all outcomes of a batch. */
abstract class DecisionCommand extends ApiCommand implements Callable<Integer> {
  @Mixin private BoardFilter.WithPeriod target = new BoardFilter.WithPeriod();

  @Option(
      names = "--batch",
      paramLabel = "N",
      description =
          "All outcomes that this batch has prepared or left held ('palmares batches'"
              + " lists them).")
  private @Nullable Long batch;

  @Option(
      names = "--revision",
      paramLabel = "N",
      description = "The revision that you were shown: refused if another one is undecided.")
  @Nullable Integer revision;

  @Option(
      names = "--expect",
      paramLabel = "DIGEST",
      description =
          "The digest that 'palmares close', 'restart', 'amend' or 'approve' printed: refused if"
              + " the outcome, its ties or the reasons have changed since. Required, unless"
              + " --if-match names the period.")
  @Nullable String expect;

  @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

  DecisionCommand(Session session) {
    super(session);
  }

  /** Whether it decides on a batch. */
  final boolean isOfBatch() {
    return batch != null;
  }

  /** Decides on the outcome of a period. */
  abstract Task decide(ClosingResource closings, Named period, String reason, Call call);

  /** Decides on the outcomes of a batch. */
  abstract Task decide(BatchResource batches, long id, BatchDecision decision, Call call);

  @Override
  public Integer call() throws IOException {
    if (batch != null) {
      return decideMany(batch);
    }
    Named named = target.required();
    String reason = acting.required();
    return act(
        acting, ClosingResource.class, (closings, call) -> decide(closings, named, reason, call));
  }

  /** Without a digest, only shows what it would decide on. */
  private int decideMany(long id) throws IOException {
    if (target.isGiven() || revision != null) {
      throw UserError.badUsage("--batch takes no BOARD, PERIOD and --revision");
    }
    if (expect == null) {
      return print(new Output(), BatchResource.class, batches -> batches.sums(id));
    }
    var decision = new BatchDecision(acting.required(), expect);
    return act(acting, BatchResource.class, (batches, call) -> decide(batches, id, decision, call));
  }
}
