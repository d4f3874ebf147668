package palmares.cli;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.stream.Collectors;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.TerminalText;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.operations.report.PeriodNotes;
import palmares.operations.report.PeriodNotes.LossGroup;

/** What stands below a period's table: whose order is not known, and what came too late. */
final class ReportNotes {
  private static final int GROUPS = 10;

  private ReportNotes() {}

  static void write(PeriodNotes notes, PeriodSummary period, Writer writer) throws IOException {
    var note = notes.of(period.board(), period.name());
    if (note.isEmpty()) {
      return;
    }
    writer.write("note: " + TerminalText.of(note.get()) + "\n");
    List<LossGroup> groups = notes.losses(period.board(), period.name(), GROUPS + 1);
    for (LossGroup group : groups.subList(0, Math.min(GROUPS, groups.size()))) {
      writer.write("  " + line(group) + "\n");
    }
    if (groups.size() > GROUPS) {
      writer.write("  and more: --format csv has all of them, in its column loss\n");
    }
  }

  private static String line(LossGroup group) {
    return "places %s to %s, %s points, %s: %s%s"
        .formatted(
            DisplayFormat.number(group.firstPlace()),
            DisplayFormat.number(group.firstPlace() + group.members() - 1),
            DisplayFormat.number(group.points()),
            group.kind(),
            group.first().stream().map(TerminalText::of).collect(Collectors.joining(", ")),
            group.members() > group.first().size()
                ? " and %s more"
                    .formatted(DisplayFormat.number(group.members() - group.first().size()))
                : "");
  }
}
