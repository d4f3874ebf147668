package palmares.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
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

/** Lets what waits for a person be paid. */
@Command(
    name = "approve",
    description = {
      "Lets a closing or an amendment that waits for a person be paid, and finishes it.",
      "",
      "'palmares preview BOARD PERIOD' tells what a closing is to pay, 'palmares report --revision"
          + " N' shows an amendment. Approving twice changes nothing."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:approved and paid",
      "1:it did not come out right, or another process holds the period",
      "2:bad usage, nothing that waits, or ties without --ties: nothing was changed",
      "3:not paid: a second person must approve it, or it passes a bound that you were not shown"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  palmares approve invites 2026-W47 --reason 'checked the first ten'",
      "  palmares approve invites 2026-W47 --revision 2 --reason 'cheater excluded' --by ann"
    })
final class ApproveCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();

  @Option(
      names = "--revision",
      paramLabel = "N",
      description = "The revision that you looked at: refused if another one waits.")
  private @Nullable Integer revision;

  @Option(
      names = "--ties",
      paramLabel = "HOW",
      description =
          "Where the rules leave ties to a person: each gets the prize of the shared rank, all"
              + " share the prizes of the places that they take, or each gets that of its place in"
              + " order. One of: ${COMPLETION-CANDIDATES}.",
      completionCandidates = TieWords.class)
  private @Nullable String ties;

  @Option(
      names = "--expect",
      paramLabel = "DIGEST",
      description =
          "Which outcome you looked at, as 'palmares close' or 'palmares amend' printed it: refused"
              + " if it has changed. Required if it passes a budget, or was computed again after a"
              + " rejection.")
  private @Nullable String expect;

  @Mixin private Actor actor = new Actor();

  ApproveCommand(Session session) {
    this.session = session;
  }

  /** How a person may decide ties. */
  static final class TieWords implements Iterable<String> {
    static final List<String> WORDS = List.of("each", "share", "order");

    @Override
    public java.util.Iterator<String> iterator() {
      return WORDS.iterator();
    }
  }

  @Override
  public Integer call() throws Exception {
    var answer = new ApprovalDecision(actor.by(), actor.reason(), ties(ties), expect);
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.closing("approve"), boards)) {
      Period period = target.find(app, boards);
      return RefusalMessages.of(
          () ->
              period.state().isSettled() && revision() != Revision.FIRST
                  ? amend(app, period, answer)
                  : close(app, period, answer));
    }
  }

  private int revision() {
    return revision == null ? 0 : revision;
  }

  static @Nullable Ties ties(@Nullable String ties) {
    if (ties != null && !TieWords.WORDS.contains(ties)) {
      throw UserError.badInput("--ties is each, share or order, not '%s'".formatted(ties));
    }
    return ties == null ? null : Ties.valueOf(ties.toUpperCase(java.util.Locale.ROOT));
  }

  private int amend(RunningApplication app, Period period, ApprovalDecision answer) {
    if (answer.ties() != null) {
      throw UserError.badInput("'palmares amend' said how ties are paid: leave --ties out");
    }
    var approved =
        app.get(Amendments.class)
            .approve(period.id(), revision, answer.expect(), answer.by(), answer.reason());
    Long transfers = approved.transfers();
    if (transfers == null) {
      int waiting = app.get(Amendments.class).undecided(period).orElseThrow().number();
      return waits(app, period, waiting, approved.heldFor());
    }
    session
        .terminal()
        .print(
            "%s is amended: %s transfers posted, and verified"
                .formatted(period.label(), DisplayFormat.number(transfers)));
    return 0;
  }

  private int waits(RunningApplication app, Period period, int number, List<String> reasons) {
    String digest = app.get(Revisions.class).find(period.id(), number).orElseThrow().digest();
    session
        .terminal()
        .print(
            "%s is still held, and nothing is paid: %s; to approve that, say --expect %s"
                .formatted(period.label(), TerminalText.of(String.join("; ", reasons)), digest));
    return CloseCommand.WAITS;
  }

  private int close(RunningApplication app, Period period, ApprovalDecision answer) {
    if (revision() > Revision.FIRST) {
      throw UserError.badInput(
          "of %s revision 1 waits, not %d".formatted(period.label(), revision()));
    }
    if (period.state() != PeriodState.APPROVED) { // else somebody died between word and deed
      List<String> more = app.get(Approvals.class).approve(period.id(), answer);
      if (!more.isEmpty()) {
        return waits(app, period, Revision.FIRST, more);
      }
    }
    ClosingResult closed =
        app.get(Closings.class)
            .close(period.id(), new ClosingCause("palmares approve", answer.by()), step -> {});
    if (closed.outcome() != ClosingResult.Outcome.SETTLED
        && closed.outcome() != ClosingResult.Outcome.ALREADY_SETTLED) {
      throw UserError.failed(
          "%s is approved, but not settled: %s; the next sweep or 'palmares close %s' goes on"
              .formatted(period.label(), closed.detail(), period.label()));
    }
    session.terminal().print("%s is approved and settled".formatted(period.label()));
    return 0;
  }
}
