package palmares.cli;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.board.BoardId;
import palmares.cli.launch.Running;
import palmares.cli.output.Format;
import palmares.cli.output.Output;
import palmares.cli.output.Sheet;
import palmares.cli.terminal.Complaint;
import palmares.cli.terminal.Printable;
import palmares.report.FinalLine;
import palmares.report.PeriodHistory;
import palmares.report.PeriodLine;
import palmares.report.RevisionHistory;
import palmares.report.RevisionLine;

/** What a period's outcomes were, those that no longer stand or never did too. */
record RevisionReport(Running app, Names names) {
  private static final Sheet<RevisionLine> SHEET =
      new Sheet<RevisionLine>()
          .number("revision", RevisionLine::revision)
          .number("amends", RevisionLine::base)
          .text("status", RevisionLine::status)
          .text("prepared_by", RevisionLine::preparedBy)
          .text("prepared_at", RevisionLine::preparedAt)
          .text("reason", RevisionLine::reason)
          .text("held_for", line -> line.heldFor().isEmpty() ? null : line.heldFor())
          .text("decided_by", RevisionLine::decidedBy)
          .text("decided_at", RevisionLine::decidedAt)
          .text("why", RevisionLine::verdictReason)
          .text("paid_at", RevisionLine::postedAt);

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
    PeriodLine period =
        Names.name(word)
            .flatMap(name -> app.get(PeriodHistory.class).find(id, name))
            .orElseThrow(() -> names.unknownPeriod(id, word));
    List<RevisionLine> all = app.get(RevisionHistory.class).of(id, period.name());
    if (number == null) {
      SHEET.write(output, writer, "no outcome yet", all::forEach);
    } else {
      RevisionLine revision =
          all.stream()
              .filter(one -> one.revision() == number)
              .findAny()
              .orElseThrow(() -> unknown(period, number, all));
      lines(period, revision, top, output, writer);
    }
  }

  private static Complaint unknown(PeriodLine period, int number, List<RevisionLine> all) {
    return Complaint.badInput(
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
      PeriodLine period, RevisionLine revision, @Nullable Integer top, Output output, Writer writer)
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
    PalmaresSheet.of(app, period.board(), List.of(period.name()), number)
        .write(
            output,
            writer,
            "",
            row -> history.first(period.board(), period.name(), number, most, row));
  }

  private static String which(RevisionLine revision) {
    return "revision %d, which %s, by %s%s\n"
        .formatted(
            revision.revision(),
            switch (revision.status()) {
              case "stands" -> "stands";
              case "superseded" -> "was amended later";
              case "waits" -> "waits for a verdict";
              default -> "is " + revision.status();
            },
            Printable.of(revision.preparedBy()),
            revision.reason() == null ? "" : ": " + Printable.of(revision.reason()));
  }
}
