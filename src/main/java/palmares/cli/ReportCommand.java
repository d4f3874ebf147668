package palmares.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
import palmares.cli.output.Output.Format;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.operations.report.FinalLine;
import palmares.operations.report.PalmaresReport;
import palmares.operations.report.PeriodHistory;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.operations.report.RevisionHistory;
import palmares.operations.report.RevisionHistory.RevisionSummary;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the palmarès of settled periods, and all revisions of a period. */
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
      "A period is shown in the revision in force. --revisions lists all revisions, and --revision"
          + " N shows one, whether it is in force, superseded, rejected or not decided yet."
    },
    customSynopsis = {
      "palmares report [OPTIONS] BOARD PERIOD",
      "   or: palmares report [OPTIONS] BOARD PERIOD (--revision N | --revisions)",
      "   or: palmares report [OPTIONS] BOARD --all"
    },
    exitCodeList = {
      "0:the report is complete",
      "1:it could not be written",
      "2:bad usage, an unknown board or period, or one that is not settled"
    },
    footer = {
      "  palmares report invites 2026-W47 --top 10",
      "  palmares report invites 2026-W47 --revision 1",
      "  palmares report commits-daily --all --format csv --out commits.csv"
    })
final class ReportCommand implements Callable<Integer> {
  private static final OutputTable<RevisionSummary> REVISIONS =
      new OutputTable<RevisionSummary>()
          .number("revision", RevisionSummary::revision)
          .number("amends", RevisionSummary::base)
          .text("status", RevisionSummary::status)
          .text("prepared_by", RevisionSummary::preparedBy)
          .text("prepared_at", RevisionSummary::preparedAt)
          .text("reason", RevisionSummary::reason)
          .text("held_for", line -> line.heldFor().isEmpty() ? null : line.heldFor())
          .text("decided_by", RevisionSummary::decidedBy)
          .text("decided_at", RevisionSummary::decidedAt)
          .text("why", RevisionSummary::verdictReason)
          .text("paid_at", RevisionSummary::postedAt);

  private final Session session;

  @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
  private String board = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "PERIOD", description = PeriodArgument.NAME)
  private @Nullable String period;

  @Option(names = "--all", description = "Every settled period, the earliest first.")
  private boolean all;

  @Option(
      names = "--revision",
      paramLabel = "N",
      description = "That revision of the period, in any status.")
  private @Nullable Integer revision;

  @Option(
      names = "--revisions",
      description = "Lists the revisions of the period: who prepared each, why, and its status.")
  private boolean revisions;

  @Mixin private Output output = new Output();

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "Only the first N places of each period (default: 100 in a table, else all).")
  private @Nullable Integer top;

  ReportCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (all == (period != null)) {
      throw UserError.badUsage("name one PERIOD, or --all");
    }
    if (top != null) {
      Arguments.atLeast(1, "--top", top);
    }
    if (all && (revision != null || revisions) || revision != null && revisions) {
      throw UserError.badUsage("use only one of --revision N, --revisions and --all");
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start("report", boards)) {
      var arguments = new Arguments(boards, app);
      BoardId id = arguments.board(board);
      if (revision != null || revisions) {
        writeRevisions(app, arguments.summary(id, String.valueOf(period)));
      } else {
        writePeriods(
            app, period == null ? allSettled(app, id) : List.of(arguments.settled(id, period)));
      }
    }
    return 0;
  }

  private static List<PeriodSummary> allSettled(RunningApplication app, BoardId id) {
    List<PeriodSummary> settled = app.get(PeriodHistory.class).settled(id);
    if (settled.isEmpty()) {
      throw UserError.badInput("the board '%s' has no settled period yet", id);
    }
    return settled;
  }

  private void writePeriods(RunningApplication app, List<PeriodSummary> periods)
      throws IOException {
    var report = new PeriodReport(app);
    if (output.format() == Format.TABLE) {
      int limit = output.limit(top, PeriodReport.DEFAULT_TOP);
      output.write(session, writer -> report.write(periods, limit, writer));
      return;
    }
    PeriodSummary first = periods.get(0);
    var columns =
        report.columns(first.board(), periods.stream().map(PeriodSummary::name).toList(), null);
    output.write(
        session,
        writer ->
            columns.write(
                output,
                writer,
                "",
                row ->
                    app.get(PalmaresReport.class)
                        .each(
                            first.board(),
                            all ? null : first.name(),
                            line -> {
                              if (top == null || line.place() <= top) {
                                row.accept(line);
                              }
                            })));
  }

  private void writeRevisions(RunningApplication app, PeriodSummary summary) throws IOException {
    List<RevisionSummary> found =
        app.get(RevisionHistory.class).of(summary.board(), summary.name());
    if (revision == null) {
      output.write(
          session, writer -> REVISIONS.write(output, writer, "no outcome yet", found::forEach));
      return;
    }
    int number = revision;
    RevisionSummary shown =
        found.stream()
            .filter(one -> one.revision() == number)
            .findAny()
            .orElseThrow(() -> unknown(summary, number, found));
    writeRevision(app, summary, shown);
  }

  private static UserError unknown(PeriodSummary period, int number, List<RevisionSummary> found) {
    return UserError.badInput(
        found.isEmpty()
            ? "%s has no revision %d: it is %s, and has none yet"
                .formatted(period.label(), number, period.state())
            : "%s has no revision %d, only %s"
                .formatted(
                    period.label(),
                    number,
                    found.stream()
                        .map(one -> "" + one.revision())
                        .collect(Collectors.joining(", "))));
  }

  private void writeRevision(RunningApplication app, PeriodSummary summary, RevisionSummary shown)
      throws IOException {
    RevisionHistory history = app.get(RevisionHistory.class);
    var report = new PeriodReport(app);
    BoardId id = summary.board();
    PeriodName name = summary.name();
    int number = shown.revision();
    int limit = output.limit(top, PeriodReport.DEFAULT_TOP);
    if (output.format() == Format.TABLE) {
      List<FinalLine> lines = history.top(id, name, number, limit);
      long members = history.members(id, name, number);
      output.write(
          session, writer -> report.write(summary, heading(shown), members, lines, writer));
      return;
    }
    var columns = report.columns(id, List.of(name), number);
    output.write(
        session,
        writer ->
            columns.write(output, writer, "", row -> history.first(id, name, number, limit, row)));
  }

  private static String heading(RevisionSummary revision) {
    return "revision %d, which %s, by %s%s\n"
        .formatted(
            revision.revision(),
            switch (revision.status()) {
              case "in force" -> "is in force";
              case "superseded" -> "was amended later";
              case "undecided" -> "is undecided";
              default -> "is " + revision.status();
            },
            TerminalText.of(revision.preparedBy()),
            revision.reason() == null ? "" : ": " + TerminalText.of(revision.reason()));
  }
}
