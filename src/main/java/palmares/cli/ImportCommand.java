package palmares.cli;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import palmares.api.roles.Caller;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.UserError;
import palmares.live.history.HistoryImport;
import palmares.live.history.HistoryImport.ImportListener;
import palmares.live.history.HistoryImport.UnreadableSource;
import palmares.live.history.HistorySource;
import palmares.live.history.ImportCounts;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.Intake;
import palmares.live.intake.RefusalReason;
import palmares.period.DuePeriods;
import palmares.period.ImportRuns;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Texts;
import palmares.rules.boardfiles.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Imports histories of any age. */
@Command(
    name = "import",
    description = {
      "Imports histories of any age: files with one event a line (NDJSON), plain or gzip.",
      "",
      "Opens past periods and counts every event by its own time. May be stopped or killed, and run"
          + " again: nothing is applied twice. Each line that counts nowhere is printed as"
          + " FILE:LINE: reason: detail. An undo without anything to undo and a repeated action on"
          + " the same subject have no effect; they are printed, too, but are no failure."
    },
    exitCodeList = {
      "0:every line was taken, now or before",
      "1:some lines were refused or late; all others were taken",
      "2:bad usage, a file that cannot be read to its end, or a wrong board file"
    },
    footer = {
      "  palmares import events.ndjson.gz && palmares close --due",
      "  zstd -dc events.zst | palmares import -"
    })
final class ImportCommand implements Callable<Integer> {
  private static final Progress.Unit BYTES = new Progress.Unit(" KB", 1_000);
  private static final String STDIN = "-";

  private final Session session;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "The files, in the order to read them; - is standard input.")
  private List<String> files = List.of();

  ImportCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Catalogue boards = session.boards();
    List<HistorySource> sources = sources(session.terminal().in());
    // The journals in Redis are limited, so an import without a server drains them itself.
    LaunchOptions launch = LaunchOptions.of("import").with("palmares.journal.drain", "true");
    try (RunningApplication app = session.start(launch, boards)) {
      ImportCounts counts = importAll(app, sources);
      print(counts, app.get(DuePeriods.class).dueOnDemand().size());
      return counts.of(Kind.REFUSED) + counts.of(Kind.LATE) == 0 ? 0 : UserError.FAILED;
    }
  }

  /** The files, checked as far as possible before the application starts. */
  private List<HistorySource> sources(InputStream stdin) {
    var sources =
        files.stream()
            .map(
                file ->
                    file.equals(STDIN)
                        ? HistorySource.of("stdin", stdin)
                        : HistorySource.of(Path.of(file)))
            .toList();
    var errors =
        sources.stream()
            .flatMap(source -> source.fault().stream().map(why -> source.name() + ": " + why))
            .toList();
    if (!errors.isEmpty()) {
      throw UserError.badInput("nothing was imported: " + String.join("\n  ", errors));
    }
    if (files.stream().filter(STDIN::equals).count() > 1) {
      throw UserError.badInput("nothing was imported: - can be named once only");
    }
    return sources;
  }

  private ImportCounts importAll(RunningApplication app, List<HistorySource> sources) {
    var notice = new Thread(this::printInterrupted);
    Runtime.getRuntime().addShutdownHook(notice);
    long total =
        sources.stream().allMatch(source -> source.size().isPresent())
            ? sources.stream().mapToLong(source -> source.size().orElseThrow()).sum()
            : Progress.UNKNOWN;
    try (Progress progress = Progress.of(session.terminal(), "import", BYTES, total)) {
      return new HistoryImport(
              app.get(Intake.class), app.get(ImportRuns.class), new Listener(progress))
          .take(sources, Caller.get().name());
    } catch (UnreadableSource e) {
      throw UserError.badInput(
          "%s; the lines before it were taken: repair the file and import it again",
          e.getMessage());
    } finally {
      remove(notice);
    }
  }

  private void printInterrupted() {
    session.note(
        "\npalmares: stopped; run the same command again to import the rest, nothing is applied"
            + " twice");
  }

  private static void remove(Thread shutdownHook) {
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException e) {
      return; // The process is shutting down, and the notice is printed.
    }
  }

  private void print(ImportCounts counts, int due) {
    print("lines", counts.lines());
    print("applied", counts.of(Kind.APPLIED));
    print("undone", counts.of(Kind.UNDONE));
    if (counts.of(Kind.ACCEPTED) > 0) {
      print("accepted", counts.of(Kind.ACCEPTED));
    }
    print("duplicates", counts.of(Kind.DUPLICATE));
    print("no effect", counts.withoutEffect());
    print("late", counts.of(Kind.LATE));
    print("refused", counts.of(Kind.REFUSED));
    if (!counts.leftOut().isEmpty()) {
      session.print(
          "some counted on only some of their boards: "
              + counts.leftOut().entrySet().stream()
                  .map(left -> DisplayFormat.number(left.getValue()) + " " + left.getKey().word())
                  .collect(Collectors.joining(", ")));
    }
    session.print(
        due == 0
            ? "no period is due"
            : "%s %s open and due: 'palmares close --due' settles them"
                .formatted(DisplayFormat.number(due), due == 1 ? "period is" : "periods are"));
  }

  private void print(String label, long count) {
    session.print(String.format(Locale.ROOT, "%-10s %,12d", label, count));
  }

  /** Shows progress, and each line that counts nowhere. */
  private record Listener(Progress progress) implements ImportListener {
    @Override
    public void leftOut(String source, long line, EventOutcome outcome) {
      RefusalReason reason = outcome.reason();
      progress.say(
          TerminalText.of(
              "%s:%s: %s: %s"
                  .formatted(
                      source,
                      line,
                      reason == null ? outcome.kind().word() : reason.word(),
                      outcome.said() == null ? null : Texts.here().of(outcome.said()))));
    }

    @Override
    public void taken(long bytes, long lines) {
      progress.at(bytes, DisplayFormat.number(lines) + " lines");
    }
  }
}
