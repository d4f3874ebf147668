package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Columns;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.TerminalText;
import palmares.operations.report.PeriodHistory;
import palmares.operations.report.RunHistory;
import palmares.operations.report.RunHistory.RunSummary;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the attempts to close periods. */
@Command(
    name = "runs",
    description = "Lists the attempts to close periods, the latest first.",
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the list is complete", "2:bad usage, or an unknown board"},
    footerHeading = "%nExample:%n",
    footer = "  palmares runs invites --failed --count 50")
final class RunsCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "BOARD",
      description = "Only this board's attempts.")
  private @Nullable String board;

  @Option(names = "--failed", description = "Only those that failed, with the reason.")
  private boolean failed;

  @Option(names = "--stack", description = "Also the stack of each exception.")
  private boolean stacks;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many to show (default: 20).")
  private int count;

  @Spec private CommandSpec spec = CommandSpec.create();

  RunsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (count < 1) {
      throw new ParameterException(spec.commandLine(), "--count is 1 or more, not " + count);
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.of("runs"), boards)) {
      BoardId only =
          board == null
              ? null
              : new ArgumentLookup(boards, app.get(PeriodHistory.class)).board(board);
      List<RunSummary> runs =
          app.get(RunHistory.class).latest(only, failed ? "failed" : null, count);
      session.terminal().print(runs.isEmpty() ? "no attempts" : table(runs));
      if (stacks) {
        runs.stream().filter(run -> run.stack() != null).forEach(this::printStack);
      }
    }
    return 0;
  }

  private void printStack(RunSummary run) {
    session.terminal().print("");
    session
        .terminal()
        .print("%s %s, started %s:".formatted(run.board(), run.period(), run.startedAt()));
    String.valueOf(run.stack()).lines().map(TerminalText::of).forEach(session.terminal()::print);
  }

  private static String table(List<RunSummary> runs) {
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(
            runs,
            List.of(
                Columns.text("period").<RunSummary>with(run -> run.board() + " " + run.period()),
                Columns.text("started")
                    .with(run -> run.startedAt().truncatedTo(ChronoUnit.SECONDS) + ""),
                Columns.text("took").with(RunsCommand::took),
                Columns.text("outcome").with(RunSummary::outcome),
                Columns.text("step").with(run -> run.step() == null ? "" : run.step()),
                Columns.text("by").with(run -> TerminalText.of(run.owner())),
                Columns.text("why").with(RunsCommand::why)))
        .asString();
  }

  private static String took(RunSummary run) {
    return run.endedAt() == null
        ? ""
        : DisplayFormat.duration(Duration.between(run.startedAt(), run.endedAt()));
  }

  private static String why(RunSummary run) {
    if (run.failure() != null) {
      return TerminalText.of(run.failure());
    }
    boolean noted = run.note() != null && run.outcome().equals("settled");
    return TerminalText.of(noted ? run.cause() + "; " + run.note() : run.cause());
  }
}
