package palmares.cli;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Format;
import palmares.cli.output.Output;
import palmares.cli.terminal.UserError;
import palmares.operations.report.PalmaresReport;
import palmares.operations.report.PeriodHistory;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.operations.report.PeriodNotes;
import palmares.period.BoardDefinitions;
import palmares.period.Periods;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
          + " invites nickname and invite_code. Credits are what was awarded in that currency; each"
          + " reward rule has its own column, 'award:' and the rule's name.",
      "",
      "A period is shown in the revision that stands. --revisions lists all that it ever had, and"
          + " --revision N shows one, whether it stands, was amended, was rejected or waits."
    },
    customSynopsis = {
      "palmares report [OPTIONS] BOARD PERIOD",
      "   or: palmares report [OPTIONS] BOARD PERIOD (--revision N | --revisions)",
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
      "  palmares report invites 2026-W47 --revision 1",
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
      names = "--revision",
      paramLabel = "N",
      description = "That outcome of the period, whatever became of it.")
  private @Nullable Integer revision;

  @Option(
      names = "--revisions",
      description = "Lists the outcomes of the period: who made each, why, and what became of it.")
  private boolean revisions;

  @Mixin private Output output = new Output();

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
    if ((revision != null || revisions) && (all || (revision != null && revisions))) {
      throw new ParameterException(
          spec.commandLine(),
          "--revision N and --revisions are of one PERIOD, and one or the other");
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.of("report"), boards)) {
      if (revision != null || revisions) {
        var report =
            new RevisionReport(app, new ArgumentLookup(boards, app.get(PeriodHistory.class)));
        output.write(
            session,
            writer -> report.write(board, String.valueOf(period), revision, top, output, writer));
      } else {
        List<PeriodSummary> periods = periods(boards, app.get(PeriodHistory.class));
        output.write(session, writer -> write(app, periods, writer));
      }
    }
    return 0;
  }

  private List<PeriodSummary> periods(Catalogue boards, PeriodHistory history) {
    var names = new ArgumentLookup(boards, history);
    BoardId id = names.board(board);
    if (period != null) {
      return List.of(names.settled(id, period));
    }
    List<PeriodSummary> settled = history.settled(id);
    if (settled.isEmpty()) {
      throw UserError.badInput("the board '%s' has no settled period yet".formatted(id));
    }
    return settled;
  }

  private void write(RunningApplication app, List<PeriodSummary> periods, Writer writer)
      throws IOException {
    PalmaresReport palmaresReport = app.get(PalmaresReport.class);
    if (output.format() == Format.TABLE) {
      table(app).write(periods, output.most(top, TableReport.DEFAULT_TOP), writer);
      return;
    }
    PeriodSummary first = periods.get(0);
    PalmaresColumns.of(app, first.board(), periods.stream().map(PeriodSummary::name).toList(), null)
        .write(
            output,
            writer,
            "",
            row ->
                palmaresReport.each(
                    first.board(),
                    all ? null : first.name(),
                    line -> {
                      if (top == null || line.place() <= top) {
                        row.accept(line);
                      }
                    }));
  }

  static TableReport table(RunningApplication app) {
    return new TableReport(
        app.get(PalmaresReport.class),
        app.get(PeriodNotes.class),
        app.get(Periods.class),
        app.get(BoardDefinitions.class));
  }
}
