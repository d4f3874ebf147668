package palmares.cli;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.UserError;
import palmares.live.history.HistoryReader.UnreadableSource;
import palmares.live.history.HistorySource;
import palmares.live.intake.EventOutcome.Kind;
import palmares.platform.output.DisplayWidth;
import palmares.platform.output.OutputFormat;
import palmares.platform.text.Commands;
import palmares.platform.text.DisplayFormat;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
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

  /** The columns of a terminal that the longest outcome takes. */
  private static final int LABEL_WIDTH = 10;

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
    List<HistorySource> sources = sources(session.terminal().in());
    try (Client client = session.connect(OutputFormat.JSON.mediaType())) {
      var upload = new HistoryUpload(client, this::pause);
      long due = importAll(upload, sources);
      print(upload, due);
      return upload.of(Kind.REFUSED) + upload.of(Kind.LATE) == 0 ? 0 : UserError.FAILED;
    }
  }

  private void pause(Sentence reason, Duration time) {
    session.note(new CommandSentences.TriedAgain(reason, time.toSeconds()));
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failed(new CommandSentences.Stopped());
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
    var errors = sources.stream().flatMap(source -> source.fault().stream()).toList();
    if (!errors.isEmpty()) {
      throw UserError.badInput(new CommandSentences.NothingImported(errors));
    }
    if (files.stream().filter(STDIN::equals).count() > 1) {
      throw UserError.badInput(
          new CommandSentences.NothingImported(List.of(new CommandSentences.StdinTwice())));
    }
    return sources;
  }

  /** Returns how many periods are due afterwards. */
  private long importAll(HistoryUpload upload, List<HistorySource> sources) {
    String stopped = "\npalmares: " + Texts.here().of(new CommandSentences.ImportStopped());
    var notice = new Thread(() -> session.note(stopped));
    Runtime.getRuntime().addShutdownHook(notice);
    long total =
        sources.stream().allMatch(source -> source.size().isPresent())
            ? sources.stream().mapToLong(source -> source.size().orElseThrow()).sum()
            : Progress.UNKNOWN;
    String task = Texts.here().of(new CommandSentences.Importing());
    try (Progress progress = Progress.of(session.terminal(), task, BYTES, total)) {
      return upload.send(sources, progress);
    } catch (UnreadableSource e) {
      throw UserError.badInput(new CommandSentences.TakenBefore(e.said()));
    } finally {
      remove(notice);
    }
  }

  private static void remove(Thread shutdownHook) {
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException e) {
      return; // The process is shutting down, and the notice is printed.
    }
  }

  private void print(HistoryUpload upload, long due) {
    print("lines", upload.lines());
    print("applied", upload.of(Kind.APPLIED));
    print("undone", upload.of(Kind.UNDONE));
    if (upload.of(Kind.ACCEPTED) > 0) {
      print("accepted", upload.of(Kind.ACCEPTED));
    }
    print("duplicates", upload.of(Kind.DUPLICATE));
    print("no-effect", upload.withoutEffect());
    print("late", upload.of(Kind.LATE));
    print("refused", upload.of(Kind.REFUSED));
    if (!upload.leftOut().isEmpty()) {
      session.print(
          new CommandSentences.SomeBoardsOnly(
              upload.leftOut().entrySet().stream()
                  .map(left -> DisplayFormat.number(left.getValue()) + " " + left.getKey())
                  .toList()));
    }
    if (due == 0) {
      session.print(new CommandSentences.NothingDue());
    } else {
      session.print(new CommandSentences.PeriodsDue(due));
      session.print("  " + Commands.of(Next.of("close-due")));
    }
  }

  private void print(String outcome, long count) {
    String label = Texts.here().of(new CommandSentences.Imported(outcome));
    session.print("%s %,12d", DisplayWidth.padded(label, LABEL_WIDTH), count);
  }
}
