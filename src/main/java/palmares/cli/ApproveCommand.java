package palmares.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.BatchResource.BatchDecision;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ClosingResource.Approval;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Approves a held closing or an amendment. */
@Command(
    name = "approve",
    description = {
      "Approves a held closing or an amendment, and pays it.",
      "",
      "'palmares preview BOARD PERIOD' shows what a closing will pay, 'palmares report --revision"
          + " N' shows an amendment. Without --expect or --if-match, it prints the digest of what"
          + " it would approve, and is refused. Approving twice changes nothing."
    },
    exitCodeList = {
      "0:approved and paid",
      "1:it failed, or another process holds the period",
      "2:bad usage, nothing to approve, no or another digest, or ties without --ties: nothing was"
          + " changed",
      "3:not paid: a second person must approve it, or it passes a budget that you were not shown"
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
final class ApproveCommand extends ApiCommand implements Callable<Integer> {
  static final String BATCH =
      "All outcomes that this batch has prepared or left held ('palmares batches'"
          + " lists them).";

  static final String EXPECTED_REVISION =
      "The revision that you were shown: refused if another one is undecided.";

  static final String EXPECTED_DIGEST =
      "The digest that 'palmares close', 'restart', 'amend' or 'approve' printed: refused if the"
          + " outcome, its ties or the reasons have changed since. Required, unless --if-match"
          + " names the period.";

  @Mixin private BoardFilter.WithPeriod target = new BoardFilter.WithPeriod();

  @Option(names = "--batch", paramLabel = "N", description = BATCH)
  private @Nullable Long batch;

  @Option(names = "--revision", paramLabel = "N", description = EXPECTED_REVISION)
  private @Nullable Integer revision;

  @Option(
      names = "--ties",
      paramLabel = "HOW",
      description =
          "Where the rules hold ties for a decision: 'each' gets the prize of the shared rank, all"
              + " 'share' the prizes of the places that they take, or each gets that of its place"
              + " in 'order'.")
  private @Nullable String ties;

  @Option(names = "--expect", paramLabel = "DIGEST", description = EXPECTED_DIGEST)
  private @Nullable String expect;

  @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

  ApproveCommand(Session session) {
    super(session, LaunchOptions.closing("approve"));
  }

  @Override
  public Integer call() throws IOException {
    if (batch != null) {
      return approveMany(batch);
    }
    var named = target.required();
    var approval = new Approval(acting.required(), revision, ties, expect);
    return act(
        acting,
        ClosingResource.class,
        (closings, call) -> closings.approve(named.board(), named.period(), approval, call));
  }

  /** Without a digest, only shows what it would approve. */
  private int approveMany(long id) throws IOException {
    if (target.isGiven() || revision != null || ties != null) {
      throw UserError.badUsage("--batch takes no BOARD, PERIOD, --revision and --ties");
    }
    if (expect == null) {
      return print(new Output(), BatchResource.class, batches -> batches.sums(id));
    }
    var approval = new BatchDecision(acting.required(), expect);
    return act(
        acting, BatchResource.class, (batches, call) -> batches.approveBatch(id, approval, call));
  }
}
