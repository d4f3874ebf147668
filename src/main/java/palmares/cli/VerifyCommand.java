package palmares.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.operations.report.PeriodHistory;
import palmares.operations.report.PeriodNotes;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.manifest.Anchors;
import palmares.settlement.manifest.Anchors.Anchor;
import palmares.settlement.nightly.NightlyResult;
import palmares.settlement.nightly.NightlyVerification;
import palmares.settlement.verification.Difference;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Derives what settled periods must hold, and compares. */
@Command(
    name = "verify",
    description = {
      "Derives every line and payment of settled periods again, from the journal, the rules and the"
          + " exclusions, and compares them with what is stored.",
      "Without a BOARD also looks for rows that belong to no outcome, and for outcomes that were"
          + " erased, and prints the last link of each chain.",
      "Prints the first 50 differences, and a line that counts everything at the end."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing is missing, extra or unequal",
      "1:there are differences",
      "2:bad usage, an unknown board or period, or one that is not settled"
    },
    footerHeading = "%nExample:%n",
    footer = {"  palmares verify invites 2026-W47", "  palmares verify --history"})
final class VerifyCommand implements Callable<Integer> {
  private static final int NIGHTS = 20;

  private final Session session;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "BOARD",
      description = "Only this board's settled periods.")
  private @Nullable String board;

  @Parameters(index = "1", arity = "0..1", paramLabel = "PERIOD", description = "Only this period.")
  private @Nullable String period;

  @Option(
      names = "--history",
      description = "Shows what the nights' own verifications found, the last 20 of them.")
  private boolean history;

  VerifyCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.of("verify"), boards)) {
      Terminal terminal = session.terminal();
      if (history) {
        return print(app.get(NightlyVerification.class).latest(NIGHTS));
      }
      var names = new ArgumentLookup(boards, app.get(PeriodHistory.class));
      BoardId id = board == null ? null : names.board(board);
      PeriodName name = id == null || period == null ? null : names.settled(id, period).name();
      app.get(PeriodNotes.class)
          .all(id, name)
          .forEach(note -> terminal.print("note: " + TerminalText.of(note)));
      Findings findings = app.get(Verification.class).verifySettled(id, name);
      if (id == null) {
        printLinks(app.get(Anchors.class));
      }
      return print(findings);
    }
  }

  /** The last link of each chain, for whoever keeps them elsewhere. */
  private void printLinks(Anchors anchors) {
    anchors.keep();
    for (Anchor last : anchors.last()) {
      session
          .terminal()
          .print(
              TerminalText.of(
                  "last of the %s: link %d, of %s, %s"
                      .formatted(last.chain().word(), last.n(), last.what(), last.hash())));
    }
    session.terminal().print(TerminalText.of("anchored in " + anchors.file()));
  }

  /** As the last night ended. */
  private int print(List<NightlyResult> nightlyVerification) {
    session
        .terminal()
        .print(
            nightlyVerification.isEmpty()
                ? "no night was verified yet"
                : NightlyReport.of(nightlyVerification));
    return nightlyVerification.stream().limit(1).allMatch(night -> night.differences() == 0)
        ? 0
        : UserError.FAILED;
  }

  private int print(Findings findings) {
    Terminal terminal = session.terminal();
    for (Difference difference : findings.named()) {
      terminal.print(TerminalText.of(difference.sentence()));
    }
    terminal.print(findings.summary());
    return findings.clean() ? 0 : UserError.FAILED;
  }
}
