package palmares.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.audit.Difference;
import palmares.audit.Findings;
import palmares.audit.Verification;
import palmares.board.BoardId;
import palmares.calendar.PeriodName;
import palmares.catalogue.Catalogue;
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Complaint;
import palmares.cli.terminal.Printable;
import palmares.cli.terminal.Terminal;
import palmares.nightly.NightLine;
import palmares.nightly.Nights;
import palmares.proof.Anchors;
import palmares.proof.Anchors.Anchor;
import palmares.report.Notes;
import palmares.report.PeriodHistory;
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
    try (Running app = session.start(Launch.of("verify"), boards)) {
      Terminal terminal = session.terminal();
      if (history) {
        return print(app.get(Nights.class).latest(NIGHTS));
      }
      var names = new Names(boards, app.get(PeriodHistory.class));
      BoardId id = board == null ? null : names.board(board);
      PeriodName name = id == null || period == null ? null : names.settled(id, period).name();
      app.get(Notes.class)
          .all(id, name)
          .forEach(note -> terminal.print("note: " + Printable.of(note)));
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
              Printable.of(
                  "last of the %s: link %d, of %s, %s"
                      .formatted(last.chain().word(), last.n(), last.what(), last.hash())));
    }
    session.terminal().print(Printable.of("anchored in " + anchors.file()));
  }

  /** As the last night ended. */
  private int print(List<NightLine> nights) {
    session
        .terminal()
        .print(nights.isEmpty() ? "no night was verified yet" : NightTable.of(nights));
    return nights.stream().limit(1).allMatch(night -> night.differences() == 0)
        ? 0
        : Complaint.FAILED;
  }

  private int print(Findings findings) {
    Terminal terminal = session.terminal();
    for (Difference difference : findings.named()) {
      terminal.print(Printable.of(difference.sentence()));
    }
    terminal.print(findings.summary());
    return findings.clean() ? 0 : Complaint.FAILED;
  }
}
