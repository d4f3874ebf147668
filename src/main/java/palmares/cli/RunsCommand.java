package palmares.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.TerminalText;
import palmares.operations.report.RunHistory;
import palmares.operations.report.RunHistory.RunSummary;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the runs that closed periods or tried to. */
@Command(
    name = "runs",
    description = "Lists the runs that closed periods or tried to, the latest first.",
    exitCodeList = {"0:the list is complete", "2:bad usage, or an unknown board"},
    footer = "  palmares runs invites --failed --count 50")
final class RunsCommand implements Callable<Integer> {
  private static final OutputTable<RunSummary> COLUMNS =
      new OutputTable<RunSummary>()
          .text("period", run -> run.board() + " " + run.period())
          .text("started", RunSummary::startedAt)
          .text("took", RunsCommand::took)
          .text("outcome", RunSummary::outcome)
          .text("step", RunSummary::step)
          .wrapped("by", RunSummary::owner)
          .wrapped("detail", RunsCommand::detail);

  private final Session session;

  @Mixin private BoardFilter filter = new BoardFilter();

  @Option(names = "--failed", description = "Only failed runs, with the reason.")
  private boolean failed;

  @Option(names = "--stack", description = "Also the stack trace of each exception.")
  private boolean stacks;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many to show (default: 20).")
  private int count;

  RunsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Arguments.atLeast(1, "--count", count);
    Catalogue boards = session.boards();
    try (RunningApplication app = session.startWithoutRedis("runs", boards)) {
      BoardId board = filter.board(new Arguments(boards, app));
      List<RunSummary> runs =
          app.get(RunHistory.class).latest(board, failed ? "failed" : null, count);
      session.print(runs.isEmpty() ? "no runs" : COLUMNS.table(runs));
      if (stacks) {
        runs.stream().filter(run -> run.stack() != null).forEach(this::printStack);
      }
    }
    return 0;
  }

  private void printStack(RunSummary run) {
    session.print("");
    session.print("%s %s, started %s:", run.board(), run.period(), run.startedAt());
    String.valueOf(run.stack()).lines().map(TerminalText::of).forEach(session::print);
  }

  private static String took(RunSummary run) {
    return run.endedAt() == null
        ? ""
        : DisplayFormat.duration(Duration.between(run.startedAt(), run.endedAt()));
  }

  private static String detail(RunSummary run) {
    if (run.failure() != null) {
      return run.failure();
    }
    boolean hasNote = run.note() != null && run.outcome().equals("settled");
    return hasNote ? run.cause() + "; " + run.note() : run.cause();
  }
}
