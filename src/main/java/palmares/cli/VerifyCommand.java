package palmares.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Verifies settled periods. */
@Command(
    name = "verify",
    description = {
      "Derives every line and payment of settled periods again, from the journal, the rules and the"
          + " exclusions, and compares them with the stored ones.",
      "Without a BOARD it also finds rows that belong to no outcome and outcomes that were erased,"
          + " and prints the last link of each chain.",
      "Prints the first 50 differences, and a last line that counts everything."
    },
    exitCodeList = {
      "0:nothing is missing, extra or unequal",
      "1:there are differences",
      "2:bad usage, an unknown board or period, or one that is not settled"
    },
    footer = {"  palmares verify invites 2026-W47", "  palmares verify --history"})
final class VerifyCommand implements Callable<Integer> {
  private static final int MAX_NIGHTS = 20;

  private static final OutputTable<NightlyResult> NIGHTS =
      new OutputTable<NightlyResult>()
          .text("night", NightlyResult::night)
          .text("began", NightlyResult::startedAt)
          .text(
              "took",
              night -> DisplayFormat.duration(Duration.between(night.startedAt(), night.endedAt())))
          .text("since", NightlyResult::since)
          .number("periods", NightlyResult::periods)
          .number("differences", NightlyResult::differences)
          .wrapped("first", NightlyResult::first);

  private final Session session;

  @Mixin private BoardFilter.WithPeriod filter = new BoardFilter.WithPeriod();

  @Option(names = "--history", description = "Shows what the last 20 nightly verifications found.")
  private boolean history;

  VerifyCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start("verify", boards)) {
      if (history) {
        return printNights(app.get(NightlyVerification.class).latest(MAX_NIGHTS));
      }
      var arguments = new Arguments(boards, app);
      BoardId board = filter.board(arguments);
      PeriodName period =
          board == null || filter.period() == null
              ? null
              : arguments.settled(board, filter.period()).name();
      app.get(PeriodNotes.class)
          .all(board, period)
          .forEach(note -> session.print("note: " + TerminalText.of(note)));
      Findings findings = app.get(Verification.class).verifySettled(board, period);
      if (board == null) {
        printLinks(app.get(Anchors.class));
      }
      return print(findings);
    }
  }

  /** Prints the last link of each chain, so that it can be kept outside of the database. */
  private void printLinks(Anchors anchors) {
    anchors.keep();
    for (Anchor last : anchors.last()) {
      session.print(
          TerminalText.of(
              "last of the %s: link %d, of %s, %s"
                  .formatted(last.chain().word(), last.n(), last.what(), last.hash())));
    }
    session.print(TerminalText.of("anchored in " + anchors.file()));
  }

  /** Prints the nights; the exit code is that of the last one. */
  private int printNights(List<NightlyResult> nights) {
    session.print(nights.isEmpty() ? "no night was verified yet" : NIGHTS.table(nights));
    return nights.isEmpty() || nights.get(0).differences() == 0 ? 0 : UserError.FAILED;
  }

  private int print(Findings findings) {
    for (Difference difference : findings.named()) {
      session.print(TerminalText.of(difference.sentence()));
    }
    session.print(findings.summary());
    return findings.clean() ? 0 : UserError.FAILED;
  }
}
