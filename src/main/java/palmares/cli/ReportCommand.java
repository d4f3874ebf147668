package palmares.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.board.Board;
import palmares.board.BoardId;
import palmares.catalogue.Catalogue;
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Complaint;
import palmares.period.Definitions;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.report.LineWriter;
import palmares.report.Notes;
import palmares.report.Palmareses;
import palmares.report.PeriodHistory;
import palmares.report.PeriodLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the palmarès of settled periods. */
@Command(
    name = "report",
    description = {
      "Shows the palmares of a settled period, or of every settled period of a board.",
      "",
      "CSV has the columns period,rank,member,points,reached_at,credits; times are ISO 8601 in"
          + " UTC. Boards with a second key have then_by, adopted ones loss, and those that count"
          + " invites nickname and invite_code."
    },
    customSynopsis = {
      "palmares report [OPTIONS] BOARD PERIOD",
      "   or: palmares report [OPTIONS] BOARD --all"
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the report is complete",
      "1:it could not be written",
      "2:bad usage, an unknown board or period, or one that is not settled"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  palmares report invites 2026-W47 --top 10",
      "  palmares report commits-daily --all --format csv --out commits.csv"
    })
final class ReportCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
  private String board = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PERIOD",
      description = "The period's name, as 2026-11-20, 2026-W47 or 2026-11.")
  private @Nullable String period;

  @Option(names = "--all", description = "Every settled period, the earliest first.")
  private boolean all;

  @Option(
      names = "--format",
      defaultValue = "table",
      description = "table (for people; the default), csv or json.")
  private Format format = Format.TABLE;

  @Option(names = "--out", paramLabel = "FILE", description = "Writes there; whole or not at all.")
  private @Nullable Path out;

  @Option(
      names = "--top",
      paramLabel = "N",
      description =
          "Only the first N places of each period (default: 100 in a table, else all of them).")
  private @Nullable Integer top;

  @Spec private CommandSpec spec = CommandSpec.create();

  ReportCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (all == (period != null)) {
      throw new ParameterException(spec.commandLine(), "name one PERIOD, or --all");
    }
    if (top != null && top < 1) {
      throw new ParameterException(spec.commandLine(), "--top is 1 or more, not " + top);
    }
    Catalogue boards = session.boards();
    try (Running app = session.start(Launch.of("report"), boards)) {
      List<PeriodLine> periods = periods(boards, app.get(PeriodHistory.class));
      if (out == null) {
        // The stream of the terminal stays open.
        write(
            app, periods, new PrintWriter(session.terminal().out(), false, StandardCharsets.UTF_8));
      } else {
        WholeFile.write(out, writer -> write(app, periods, writer));
      }
    }
    return 0;
  }

  private List<PeriodLine> periods(Catalogue boards, PeriodHistory history) {
    var names = new Names(boards, history);
    BoardId id = names.board(board);
    if (period != null) {
      return List.of(names.settled(id, period));
    }
    List<PeriodLine> settled = history.settled(id);
    if (settled.isEmpty()) {
      throw Complaint.badInput("the board '%s' has no settled period yet".formatted(id));
    }
    return settled;
  }

  private void write(Running app, List<PeriodLine> periods, Writer writer) throws IOException {
    Palmareses palmareses = app.get(Palmareses.class);
    switch (format) {
      case TABLE ->
          new TableReport(
                  palmareses,
                  app.get(Notes.class),
                  app.get(Periods.class),
                  app.get(Definitions.class))
              .write(periods, top == null ? TableReport.DEFAULT_TOP : top, writer);
      case CSV -> stream(palmareses, periods, LineWriter.csv(writer, rules(app, periods)));
      case JSON -> stream(palmareses, periods, LineWriter.json(writer, rules(app, periods)));
    }
    writer.flush();
  }

  /** Of the rules that the latest of them closed under. */
  private static Board rules(Running app, List<PeriodLine> periods) {
    PeriodLine last = periods.get(periods.size() - 1);
    Period period = app.get(Periods.class).find(last.board(), last.name()).orElseThrow();
    return app.get(Definitions.class).of(period);
  }

  private void stream(Palmareses palmareses, List<PeriodLine> periods, LineWriter lines) {
    PeriodLine first = periods.get(0);
    try (lines) {
      palmareses.each(
          first.board(),
          all ? null : first.name(),
          line -> {
            if (top == null || line.place() <= top) {
              lines.write(line);
            }
          });
    }
  }
}
