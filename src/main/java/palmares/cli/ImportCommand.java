package palmares.cli;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.UserError;
import palmares.live.history.HistoryImport;
import palmares.live.history.HistorySource;
import palmares.live.history.ImportCounts;
import palmares.live.history.UnreadableSource;
import palmares.live.intake.Intake;
import palmares.period.DuePeriods;
import palmares.period.ImportRuns;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Reads histories of any age. */
@Command(
    name = "import",
    description = {
      "Reads histories of any age: files of one event a line (NDJSON), plain or gzip.",
      "",
      "Opens past periods and counts every event by its own time. May be stopped, or killed, and"
          + " run again: nothing is applied twice. Each line that counts nowhere is printed as"
          + " FILE:LINE: reason: detail. An undo that finds nothing to take back, and the repeat of"
          + " an action on its subject, have no effect; they are printed too, but are no failure."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every line was taken, now or before",
      "1:some lines were refused or came too late; all others were taken",
      "2:bad usage, a file that cannot be read to its end, or a wrong board file"
    },
    footerHeading = "%nExample:%n",
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
      description = "What to read, in this order; - is the standard input.")
  private List<String> files = List.of();

  ImportCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Catalogue boards = session.boards();
    List<HistorySource> sources = sources(session.terminal().in());
    try (RunningApplication app = session.start(launch(), boards)) {
      ImportCounts importCounts = takeUnlessStopped(app, sources);
      ImportSummary.print(
          session.terminal(), importCounts, app.get(DuePeriods.class).dueOnDemand().size());
      return ImportSummary.allTaken(importCounts) ? 0 : UserError.FAILED;
    }
  }

  /** What Redis may hold of journals is limited: an import that runs alone drains them itself. */
  private static LaunchOptions launch() {
    return LaunchOptions.of("import").with("palmares.journal.drain", "true");
  }

  /** Everything that can be told to be wrong is told before anything starts. */
  private List<HistorySource> sources(InputStream stdin) {
    var sources =
        files.stream()
            .map(
                file ->
                    file.equals(STDIN)
                        ? HistorySource.of("stdin", stdin)
                        : HistorySource.of(Path.of(file)))
            .toList();
    var faults =
        sources.stream()
            .flatMap(source -> source.fault().stream().map(why -> source.name() + ": " + why))
            .toList();
    if (!faults.isEmpty()) {
      throw UserError.badInput("nothing was imported: " + String.join("\n  ", faults));
    }
    if (files.stream().filter(STDIN::equals).count() > 1) {
      throw UserError.badInput("nothing was imported: - can be named once only");
    }
    return sources;
  }

  private ImportCounts takeUnlessStopped(RunningApplication app, List<HistorySource> sources) {
    var notice = new InterruptNotice(session.terminal());
    try {
      return take(app, sources);
    } finally {
      notice.drop();
    }
  }

  private ImportCounts take(RunningApplication app, List<HistorySource> sources) {
    Terminal terminal = session.terminal();
    long total = total(sources);
    try (Progress progress = Progress.of(terminal, "import", BYTES, total)) {
      return new HistoryImport(
              app.get(Intake.class),
              app.get(ImportRuns.class),
              new ImportSummary.Reporter(progress))
          .take(sources);
    } catch (UnreadableSource e) {
      throw UserError.badInput(
          "%s; what came before was taken: mend the file and import it again"
              .formatted(e.getMessage()));
    }
  }

  private static long total(List<HistorySource> sources) {
    return sources.stream().allMatch(source -> source.size().isPresent())
        ? sources.stream().mapToLong(source -> source.size().orElseThrow()).sum()
        : Progress.UNKNOWN;
  }
}
