package palmares.cli;

import java.util.Locale;
import java.util.stream.Collectors;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.TerminalText;
import palmares.live.history.ImportCounts;
import palmares.live.history.ImportListener;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.RefusalReason;

/** What an import says: of each line that was left out, and of all at its end. */
final class ImportSummary {
  private ImportSummary() {}

  static boolean allTaken(ImportCounts importCounts) {
    return importCounts.of(Kind.REFUSED) + importCounts.of(Kind.LATE) == 0;
  }

  static void print(Terminal terminal, ImportCounts importCounts, int due) {
    line(terminal, "lines", importCounts.lines());
    line(terminal, "applied", importCounts.of(Kind.APPLIED));
    line(terminal, "undone", importCounts.of(Kind.UNDONE));
    if (importCounts.of(Kind.ACCEPTED) > 0) {
      line(terminal, "accepted", importCounts.of(Kind.ACCEPTED));
    }
    line(terminal, "duplicates", importCounts.of(Kind.DUPLICATE));
    line(terminal, "no effect", importCounts.withoutEffect());
    line(terminal, "late", importCounts.of(Kind.LATE));
    line(terminal, "refused", importCounts.of(Kind.REFUSED));
    if (!importCounts.leftOut().isEmpty()) {
      terminal.print(
          "some counted on part of their boards only: "
              + importCounts.leftOut().entrySet().stream()
                  .map(left -> number(left.getValue()) + " " + left.getKey().word())
                  .collect(Collectors.joining(", ")));
    }
    terminal.print(
        due == 0
            ? "no period is due"
            : "%s %s open and due: 'palmares close --due' settles them"
                .formatted(number(due), due == 1 ? "period is" : "periods are"));
  }

  private static void line(Terminal terminal, String label, long count) {
    terminal.print(String.format(Locale.ROOT, "%-10s %,12d", label, count));
  }

  private static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Shows how far the import is, and each line that counts nowhere. */
  record Reporter(Progress progress) implements ImportListener {
    @Override
    public void leftOut(String source, long line, EventOutcome outcome) {
      RefusalReason reason = outcome.reason();
      progress.say(
          TerminalText.of(
              "%s:%d: %s: %s"
                  .formatted(
                      source,
                      line,
                      reason == null ? outcome.kind().word() : reason.word(),
                      outcome.detail())));
    }

    @Override
    public void taken(long bytes, long lines) {
      progress.at(bytes, number(lines) + " lines");
    }
  }
}
