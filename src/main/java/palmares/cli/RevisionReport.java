package palmares.cli;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.output.Format;
import palmares.cli.output.Output;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.operations.report.FinalLine;
import palmares.operations.report.PeriodHistory;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.operations.report.RevisionHistory;
import palmares.operations.report.RevisionHistory.RevisionSummary;
import palmares.rules.board.BoardId;

/** What a period's outcomes were, those that no longer stand or never did too. */
record RevisionReport(RunningApplication app, ArgumentLookup names) {
  private static final OutputTable<RevisionSummary> SHEET =
      new OutputTable<RevisionSummary>()
          .number("revision", RevisionSummary::revision)
          .number("amends", RevisionSummary::base)
          .text("status", RevisionSummary::status)
          .text("prepared_by", RevisionSummary::preparedBy)
          .text("prepared_at", RevisionSummary::preparedAt)
          .text("reason", RevisionSummary::reason)
          .text("held_for", line -> line.heldFor().isEmpty() ? null : line.heldFor())
          .text("decided_by", RevisionSummary::decidedBy)
          .text("decided_at", RevisionSummary::decidedAt)
          .text("why", RevisionSummary::verdictReason)
          .text("paid_at", RevisionSummary::postedAt);

  /**
   * @param number which one to show; null for a list of all
   * @param top how many lines at most; null for what suits the format
   */
  void write(
      String board,
      String word,
      @Nullable Integer number,
      @Nullable Integer top,
      Output output,
      Writer writer)
      throws IOException {
    BoardId id = names.board(board);
    PeriodSummary period =
        ArgumentLookup.name(word)
            .flatMap(name -> app.get(PeriodHistory.class).find(id, name))
            .orElseThrow(() -> names.unknownPeriod(id, word));
    List<RevisionSummary> all = app.get(RevisionHistory.class).of(id, period.name());
    if (number == null) {
      SHEET.write(output, writer, "no outcome yet", all::forEach);
    } else {
      RevisionSummary revision =
          all.stream()
              .filter(one -> one.revision() == number)
              .findAny()
              .orElseThrow(() -> unknown(period, number, all));
      lines(period, revision, top, output, writer);
    }
  }

  private static UserError unknown(PeriodSummary period, int number, List<RevisionSummary> all) {
    return UserError.badInput(
        all.isEmpty()
            ? "%s has no revision %d: it is %s, and has none yet"
                .formatted(period.label(), number, period.state())
            : "%s has no revision %d, only %s"
                .formatted(
                    period.label(),
                    number,
                    all.stream()
                        .map(one -> "" + one.revision())
                        .collect(Collectors.joining(", "))));
  }

  private void lines(
      PeriodSummary period,
      RevisionSummary revision,
      @Nullable Integer top,
      Output output,
      Writer writer)
      throws IOException {
    RevisionHistory history = app.get(RevisionHistory.class);
    int number = revision.revision();
    int most = output.most(top, TableReport.DEFAULT_TOP);
    if (output.format() == Format.TABLE) {
      List<FinalLine> lines = history.top(period.board(), period.name(), number, most);
      long members = history.members(period.board(), period.name(), number);
      ReportCommand.table(app).write(period, which(revision), members, lines, writer);
      return;
    }
    PalmaresColumns.of(app, period.board(), List.of(period.name()), number)
        .write(
            output,
            writer,
            "",
            row -> history.first(period.board(), period.name(), number, most, row));
  }

  private static String which(RevisionSummary revision) {
    return "revision %d, which %s, by %s%s\n"
        .formatted(
            revision.revision(),
            switch (revision.status()) {
              case "stands" -> "stands";
              case "superseded" -> "was amended later";
              case "waits" -> "waits for a verdict";
              default -> "is " + revision.status();
            },
            TerminalText.of(revision.preparedBy()),
            revision.reason() == null ? "" : ": " + TerminalText.of(revision.reason()));
  }
}
