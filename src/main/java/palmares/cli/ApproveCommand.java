package palmares.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.operations.amendment.Amendments;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.rules.catalogue.Catalogue;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.ApprovalDecision;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
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
    customSynopsis = {
      "palmares approve [OPTIONS] BOARD PERIOD --reason TEXT",
      "   or: palmares approve [OPTIONS] --batch N --expect DIGEST --reason TEXT"
    },
    footer = {
      "  palmares approve invites 2026-W47 --reason 'checked the first ten'",
      "  palmares approve invites 2026-W47 --revision 2 --reason 'cheater excluded' --by ann",
      "  palmares approve --batch 7 --expect 1f2e3d4c --reason 'checked the sum'"
    })
final class ApproveCommand implements Callable<Integer> {
  static final String BATCH =
      "All outcomes that this act over many periods has prepared or left held ('palmares batches'"
          + " lists them). Without --expect, 'approve' only shows their sum and the digest.";

  static final String EXPECTED_REVISION =
      "The revision that you were shown: refused if another one is undecided.";

  private final Session session;

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

  @Option(
      names = "--expect",
      paramLabel = "DIGEST",
      description =
          "The digest that 'palmares close', 'restart', 'amend' or 'approve' printed: refused if"
              + " the outcome, its ties or the reasons have changed since. Required if the outcome"
              + " passes a budget, or was computed again after a rejection.")
  private @Nullable String expect;

  @Mixin private Actor actor = new Actor();

  ApproveCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (batch != null) {
      return approveMany(batch);
    }
    var decision = new ApprovalDecision(actor.by(), actor.reason(), ties(ties), expect);
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.closing("approve"), boards)) {
      Period period = target.find(app, boards);
      return period.state().isSettled() && revision() != Revision.FIRST
          ? approveAmendment(app, period, decision)
          : approveClosing(app, period, decision);
    }
  }

  private int approveMany(long id) {
    if (target.isGiven() || revision != null || ties != null) {
      throw UserError.badUsage("--batch takes no BOARD, PERIOD, --revision and --ties");
    }
    String by = actor.by();
    String reason = actor.reason();
    try (RunningApplication app =
        session.start(LaunchOptions.closing("approve"), session.boards())) {
      var work = new BatchWork(session, app);
      return expect == null
          ? work.printPage(id)
          : work.run(work.batches().approve(id, expect, by, reason));
    }
  }

  private int revision() {
    return revision == null ? 0 : revision;
  }

  /**
   * How a person decides ties.
   *
   * @return null if the text is null
   * @throws UserError if it is no way to decide them
   */
  static @Nullable Ties ties(@Nullable String text) {
    if (text == null) {
      return null;
    }
    return switch (text) {
      case "each" -> Ties.EACH;
      case "share" -> Ties.SHARE;
      case "order" -> Ties.ORDER;
      default -> throw UserError.badInput("--ties is each, share or order, not '%s'", text);
    };
  }

  private int approveAmendment(RunningApplication app, Period period, ApprovalDecision decision) {
    if (decision.ties() != null) {
      throw UserError.badInput("leave --ties out: 'palmares amend --ties' decides them");
    }
    Amendments amendments = app.get(Amendments.class);
    var approved =
        amendments.approve(
            period.id(), revision, decision.expect(), decision.by(), decision.reason());
    Long transfers = approved.transfers();
    if (transfers == null) {
      int number = amendments.undecided(period).orElseThrow().number();
      return printHeld(app, period, number, approved.heldFor());
    }
    session.print("%s is amended: %,d transfers posted, and verified", period.label(), transfers);
    return 0;
  }

  private int printHeld(RunningApplication app, Period period, int number, List<String> reasons) {
    String digest = app.get(Revisions.class).find(period.id(), number).orElseThrow().digest();
    session.print(
        "%s is still held, and nothing is paid: %s; approve that with --expect %s",
        period.label(), TerminalText.of(String.join("; ", reasons)), digest);
    return CloseCommand.EXIT_HELD;
  }

  private int approveClosing(RunningApplication app, Period period, ApprovalDecision decision) {
    if (revision() > Revision.FIRST) {
      throw UserError.badInput("%s is held in revision 1, not %d", period.label(), revision());
    }
    // If it is approved already, an earlier call died before it paid.
    if (period.state() != PeriodState.APPROVED) {
      List<String> reasons = app.get(Approvals.class).approve(period.id(), decision);
      if (!reasons.isEmpty()) {
        return printHeld(app, period, Revision.FIRST, reasons);
      }
    }
    ClosingResult closed =
        app.get(Closings.class)
            .close(period.id(), new ClosingCause("palmares approve", decision.by()), step -> {});
    if (closed.outcome() != ClosingResult.Outcome.SETTLED
        && closed.outcome() != ClosingResult.Outcome.ALREADY_SETTLED) {
      throw UserError.failed(
          "%1$s is approved, but not settled: %2$s; the next sweep or 'palmares close %1$s'"
              + " retries",
          period.label(), closed.detail());
    }
    session.print("%s is approved and settled", period.label());
    return 0;
  }
}
