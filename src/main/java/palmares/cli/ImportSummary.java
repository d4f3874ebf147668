package palmares.cli;

import java.util.Locale;
import java.util.stream.Collectors;
import palmares.cli.terminal.Printable;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.Terminal;
import palmares.history.Tally;
import palmares.history.Watcher;
import palmares.intake.Outcome;
import palmares.intake.Outcome.Kind;
import palmares.intake.Reason;

/** What an import says: of each line that was left out, and of all at its end. */
final class ImportSummary {
  private ImportSummary() {}

  static boolean allTaken(Tally tally) {
    return tally.of(Kind.REFUSED) + tally.of(Kind.LATE) == 0;
  }

  static void print(Terminal terminal, Tally tally, int due) {
    line(terminal, "lines", tally.lines());
    line(terminal, "applied", tally.of(Kind.APPLIED));
    line(terminal, "undone", tally.of(Kind.UNDONE));
    if (tally.of(Kind.ACCEPTED) > 0) {
      line(terminal, "accepted", tally.of(Kind.ACCEPTED));
    }
    line(terminal, "duplicates", tally.of(Kind.DUPLICATE));
    line(terminal, "no effect", tally.withoutEffect());
    line(terminal, "late", tally.of(Kind.LATE));
    line(terminal, "refused", tally.of(Kind.REFUSED));
    if (!tally.leftOut().isEmpty()) {
      terminal.print(
          "some counted on part of their boards only: "
              + tally.leftOut().entrySet().stream()
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
  record Reporter(Progress progress) implements Watcher {
    @Override
    public void leftOut(String source, long line, Outcome outcome) {
      Reason reason = outcome.reason();
      progress.say(
          Printable.of(
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
