package palmares.cli;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.output.Output;
import palmares.cli.output.Output.Format;
import palmares.live.journal.Journal;
import palmares.operations.amendment.Preview;
import palmares.operations.amendment.Preview.PayoutForecast;
import palmares.operations.report.RevisionHistory;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what a period would pay. */
@Command(
    name = "preview",
    description = {
      "Shows what an open period would pay if it ended now, what a held one will pay, or what a"
          + " settled one has paid. Pays nothing and keeps nothing.",
      "",
      "An open period is computed from its journal, which is drained first.",
      "",
      "CSV and JSON have the members with their amounts, in the columns of 'palmares report'; the"
          + " sums go to standard error."
    },
    exitCodeList = {
      "0:shown",
      "2:bad usage, or a period that cannot be computed now",
      "3:shown, and a person must approve it before it is paid"
    },
    footer = {
      "  palmares preview invites 2026-W47 --top 20",
      "  palmares preview invites 2026-W47 --format csv --out preview.csv"
    })
final class PreviewCommand implements Callable<Integer> {
  private static final int DEFAULT_TOP = 10;

  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();
  @Mixin private Output output = new Output();

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "Only the first N places (default: 10 in a table, else all).")
  private @Nullable Integer top;

  PreviewCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (top != null) {
      Arguments.atLeast(1, "--top", top);
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start("preview", boards)) {
      Period period = target.find(app, boards);
      if (period.state() == PeriodState.OPEN
          && app.get(BoardDefinitions.class).of(period).adoption() == null) {
        app.get(Journal.class).drain(period);
      }
      return preview(app, period);
    }
  }

  /** Writes to a temporary file first, so that a slow reader does not keep the period locked. */
  private int preview(RunningApplication app, Period period) throws IOException {
    Path members = Files.createTempFile("palmares-preview", null);
    try {
      PayoutForecast forecast =
          app.get(Preview.class)
              .ask(
                  period,
                  computed -> {
                    writeMembers(app, computed, members);
                    return computed;
                  });
      printSums(forecast);
      output.write(
          session,
          writer -> {
            try (Reader lines = Files.newBufferedReader(members)) {
              lines.transferTo(writer);
            }
          });
      return forecast.reasons().isEmpty() ? 0 : CloseCommand.EXIT_HELD;
    } finally {
      Files.delete(members);
    }
  }

  private void writeMembers(RunningApplication app, PayoutForecast forecast, Path file) {
    Period period = forecast.period();
    RevisionHistory history = app.get(RevisionHistory.class);
    var report = new PeriodReport(app);
    int limit = output.limit(top, DEFAULT_TOP);
    try (Writer writer = Files.newBufferedWriter(file)) {
      if (output.format() == Format.TABLE) {
        var lines = history.top(period.board(), period.name(), period.revision(), limit);
        report.writeLines(
            app.get(BoardDefinitions.class).of(period), forecast.members(), lines, writer);
      } else {
        report
            .columns(period.board(), List.of(period.name()), period.revision())
            .write(
                output,
                writer,
                "",
                row -> history.first(period.board(), period.name(), period.revision(), limit, row));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void printSums(PayoutForecast forecast) {
    sum(
        "%s, %s members: %s"
            .formatted(
                forecast.period().label(),
                DisplayFormat.number(forecast.members()),
                tense(forecast)));
    if (forecast.rules().isEmpty()) {
      sum("  nothing");
    }
    for (PayoutForecast.ByRule rule : forecast.rules()) {
      sum(
          String.format(
              Locale.ROOT,
              "  %s: %,.0f %s to %,d members",
              rule.rule(),
              rule.amount(),
              rule.currency(),
              rule.members()));
    }
    forecast.ties().forEach(tie -> sum("tied: " + AmendmentReport.tie(tie)));
    forecast.reasons().forEach(reason -> sum("a person must approve it: " + reason));
  }

  /** Prints above the table of the members, or to standard error. */
  private void sum(String line) {
    if (output.format() == Format.TABLE) {
      session.print(line);
    } else {
      session.note(line);
    }
  }

  private static String tense(PayoutForecast forecast) {
    if (forecast.estimate()) {
      return "if it ended now, it would pay";
    }
    return forecast.period().state().isSettled() ? "it has paid" : "it will pay";
  }
}
