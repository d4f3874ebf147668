package palmares.cli;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.catalogue.Catalogue;
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Complaint;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.Terminal;
import palmares.history.BrokenSource;
import palmares.history.HistoryImport;
import palmares.history.Source;
import palmares.history.Tally;
import palmares.intake.Intake;
import palmares.period.Agenda;
import palmares.period.ImportRuns;
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
    List<Source> sources = sources(session.terminal().in());
    try (Running app = session.start(launch(), boards)) {
      Tally tally = takeUnlessStopped(app, sources);
      ImportSummary.print(session.terminal(), tally, app.get(Agenda.class).dueOnDemand().size());
      return ImportSummary.allTaken(tally) ? 0 : Complaint.FAILED;
    }
  }

  /** What Redis may hold of journals is limited: an import that runs alone drains them itself. */
  private static Launch launch() {
    return Launch.of("import").with("palmares.journal.drain", "true");
  }

  /** Everything that can be told to be wrong is told before anything starts. */
  private List<Source> sources(InputStream stdin) {
    var sources =
        files.stream()
            .map(file -> file.equals(STDIN) ? Source.of("stdin", stdin) : Source.of(Path.of(file)))
            .toList();
    var faults =
        sources.stream()
            .flatMap(source -> source.fault().stream().map(why -> source.name() + ": " + why))
            .toList();
    if (!faults.isEmpty()) {
      throw Complaint.badInput("nothing was imported: " + String.join("\n  ", faults));
    }
    if (files.stream().filter(STDIN::equals).count() > 1) {
      throw Complaint.badInput("nothing was imported: - can be named once only");
    }
    return sources;
  }

  private Tally takeUnlessStopped(Running app, List<Source> sources) {
    var notice = new StopNotice(session.terminal());
    try {
      return take(app, sources);
    } finally {
      notice.drop();
    }
  }

  private Tally take(Running app, List<Source> sources) {
    Terminal terminal = session.terminal();
    long total = total(sources);
    try (Progress progress = Progress.of(terminal, "import", BYTES, total)) {
      return new HistoryImport(
              app.get(Intake.class),
              app.get(ImportRuns.class),
              new ImportSummary.Reporter(progress))
          .take(sources);
    } catch (BrokenSource e) {
      throw Complaint.badInput(
          "%s; what came before was taken: mend the file and import it again"
              .formatted(e.getMessage()));
    }
  }

  private static long total(List<Source> sources) {
    return sources.stream().allMatch(source -> source.size().isPresent())
        ? sources.stream().mapToLong(source -> source.size().orElseThrow()).sum()
        : Progress.UNKNOWN;
  }
}
