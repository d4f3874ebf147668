package palmares.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ClosingResource.Approval;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.Session;
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
          + " N' shows an amendment. Approving twice changes nothing."
    },
    exitCodeList = {
      "0:approved and paid",
      "1:it failed, or another process holds the period",
      "2:bad usage, nothing to approve, or ties without --ties: nothing was changed",
      "3:not paid: a second person must approve it, or it passes a budget that you were not shown"
    },
    footer = {
      "  palmares approve invites 2026-W47 --reason 'checked the first ten'",
      "  palmares approve invites 2026-W47 --revision 2 --reason 'cheater excluded'"
    })
final class ApproveCommand implements Callable<Integer> {
  static final String EXPECTED_REVISION =
      "The revision that you were shown: refused if another one is undecided.";

  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();

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

  @Option(
      names = "--expect",
      paramLabel = "DIGEST",
      description =
          "The digest that 'palmares close', 'restart', 'amend' or 'approve' printed: refused if"
              + " the outcome, its ties or the reasons have changed since. Required if the outcome"
              + " passes a budget, or was computed again after a rejection.")
  private @Nullable String expect;

  @Mixin private Acting.WithReason acting = new Acting.WithReason();

  ApproveCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var approval = new Approval(acting.reason(), revision, ties, expect);
    return acting.run(
        session,
        LaunchOptions.closing("approve"),
        (app, call) ->
            app.get(ClosingResource.class)
                .approve(target.board(), target.period(), approval, call));
  }
}
