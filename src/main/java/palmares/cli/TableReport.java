package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.cli.output.Columns;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.TerminalText;
import palmares.operations.report.FinalLine;
import palmares.operations.report.PalmaresReport;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.operations.report.PeriodNotes;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.rules.board.Board;
import palmares.rules.board.Scale;

/** Settled periods as people read them: under the rules that each closed under. */
record TableReport(
    PalmaresReport palmaresReport,
    PeriodNotes notes,
    Periods periods,
    BoardDefinitions definitions) {
  static final int DEFAULT_TOP = 100;

  void write(List<PeriodSummary> settled, int top, Writer writer) throws IOException {
    String between = "";
    for (PeriodSummary period : settled) {
      writer.write(between);
      write(period, top, writer);
      between = "\n";
    }
  }

  private void write(PeriodSummary period, int top, Writer writer) throws IOException {
    long members = palmaresReport.members(period.board(), period.name());
    write(period, "", members, palmaresReport.top(period.board(), period.name(), top), writer);
    ReportNotes.write(notes, period, writer);
  }

  /**
   * One list of a period, whichever of its revisions.
   *
   * @param which what there is to say of the revision; empty for nothing
   * @param members how many lines it has
   * @param lines the first of them
   */
  void write(PeriodSummary period, String which, long members, List<FinalLine> lines, Writer writer)
      throws IOException {
    Board rules = definitions.of(periods.find(period.board(), period.name()).orElseThrow());
    writer.write(
        "%s: %s\n".formatted(period.label(), TerminalText.of(rules.title()))
            + "from %s to %s (%s)\n"
                .formatted(
                    DisplayFormat.time(period.startsAt(), rules.zone()),
                    DisplayFormat.time(period.endsAt(), rules.zone()),
                    rules.zone())
            + which
            + "%s %s\n"
                .formatted(DisplayFormat.number(members), members == 1 ? "member" : "members"));
    lines(rules, members, lines, writer);
  }

  /** The lines alone, of a period in any state. */
  void lines(Period period, long members, List<FinalLine> lines, Writer writer) throws IOException {
    lines(definitions.of(period), members, lines, writer);
  }

  private static void lines(Board rules, long members, List<FinalLine> lines, Writer writer)
      throws IOException {
    if (members > 0) {
      writer.write(table(lines, rules) + "\n");
    }
    if (members > lines.size()) {
      writer.write(
          "and %s more: --top N shows them, --format csv all of them\n"
              .formatted(DisplayFormat.number(members - lines.size())));
    }
  }

  private static String table(List<FinalLine> lines, Board rules) {
    Scale scale = rules.scale();
    var columns =
        new ArrayList<>(
            List.of(
                Columns.number("rank")
                    .with(
                        (FinalLine line) ->
                            line.rank() == null ? "" : DisplayFormat.number(line.rank())),
                Columns.whole("member").with((FinalLine line) -> TerminalText.of(line.member())),
                Columns.number("points")
                    .with((FinalLine line) -> DisplayFormat.number(line.points())),
                Columns.whole("reached at")
                    .with(
                        (FinalLine line) ->
                            line.reachedAt() == null ? "" : line.reachedAt().toString()),
                Columns.number("credits")
                    .with((FinalLine line) -> DisplayFormat.number(line.credits()))));
    if (scale.thenBy() != null) {
      columns.add(
          3,
          Columns.number(scale.thenBy().name())
              .with((FinalLine line) -> DisplayFormat.number(line.thenBy())));
    }
    if (lines.stream().anyMatch(line -> line.otherPrizes() != null)) {
      columns.add(
          Columns.whole("other prizes").with((FinalLine line) -> shown(line.otherPrizes())));
    }
    if (rules.invites() != null) {
      columns.add(Columns.whole("nickname").with((FinalLine line) -> shown(line.nickname())));
      columns.add(Columns.whole("invite code").with((FinalLine line) -> shown(line.inviteCode())));
    }
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(lines, columns)
        .asString();
  }

  private static String shown(@Nullable String text) {
    return text == null ? "" : TerminalText.of(text);
  }
}
