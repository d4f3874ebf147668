package palmares.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.TerminalText;
import palmares.operations.report.ClosingForecast;
import palmares.operations.report.RunHistory;
import palmares.operations.report.RunHistory.RunSummary;
import palmares.operations.report.RunHistory.Step;
import palmares.operations.report.RunHistory.Timeline;
import palmares.period.Period;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the runs that closed periods or tried to. */
@Command(
    name = "runs",
    description = {
      "Lists the runs that closed periods or tried to, the latest first.",
      "",
      "For one period, also shows what each step did, at which rate, and how much time a running"
          + " one needs."
    },
    exitCodeList = {"0:the list is complete", "2:bad usage, or an unknown board or period"},
    footer = {"  palmares runs invites --failed --count 50", "  palmares runs invites 2026-W47"})
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

  private static final OutputTable<Step> STEPS =
      new OutputTable<Step>()
          .text("step", step -> (step.step() + " " + step.slice()).strip())
          .text("started", Step::startedAt)
          .text("took", RunsCommand::took)
          .text("done", step -> step.unit().isEmpty() ? "" : counted(step))
          .number(
              "per_second", step -> step.perSecond() == null ? null : Math.round(step.perSecond()))
          .text("left", step -> seconds(step.secondsLeft()));

  private final Session session;

  @Mixin private BoardFilter.WithPeriod filter = new BoardFilter.WithPeriod();

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
      var arguments = new Arguments(boards, app);
      BoardId board = filter.board(arguments);
      String name = filter.period();
      if (board != null && name != null) {
        printTimeline(app, arguments.period(board, name));
        return 0;
      }
      List<RunSummary> runs =
          app.get(RunHistory.class).latest(board, failed ? "failed" : null, count);
      session.print(runs.isEmpty() ? "no runs" : COLUMNS.table(runs));
      if (stacks) {
        runs.stream().filter(run -> run.stack() != null).forEach(this::printStack);
      }
    }
    return 0;
  }

  private void printTimeline(RunningApplication app, Period period) {
    List<Timeline> runs =
        app.get(RunHistory.class).timeline(period.board(), period.name(), count).stream()
            .filter(timeline -> !failed || timeline.run().outcome().equals("failed"))
            .toList();
    app.get(ClosingForecast.class)
        .usual(List.of(period.board()))
        .forEach(
            usual ->
                session.print(
                    "a closing of %s usually takes %s, and is late after %s",
                    usual.board(), seconds(usual.seconds()), seconds(usual.lateAfter())));
    session.print(
        runs.isEmpty() ? "no runs" : COLUMNS.table(runs.stream().map(Timeline::run).toList()));
    for (Timeline timeline : runs) {
      session.print("");
      session.print("run %d, started %s:", timeline.run().id(), timeline.run().startedAt());
      session.print(STEPS.table(timeline.steps()));
      if (stacks && timeline.run().stack() != null) {
        printStack(timeline.run());
      }
    }
  }

  private static String seconds(@Nullable Double seconds) {
    return seconds == null
        ? ""
        : DisplayFormat.duration(Duration.ofMillis(Math.round(seconds * 1e3)));
  }

  private static String counted(Step step) {
    String done = DisplayFormat.number(step.done());
    Long total = step.total();
    return total == null || total == step.done()
        ? done + " " + step.unit()
        : "%s of %s %s".formatted(done, DisplayFormat.number(total), step.unit());
  }

  private void printStack(RunSummary run) {
    session.print("");
    session.print("%s %s, started %s:", run.board(), run.period(), run.startedAt());
    String.valueOf(run.stack()).lines().map(TerminalText::of).forEach(session::print);
  }

  private static String took(RunSummary run) {
    return took(run.startedAt(), run.endedAt());
  }

  private static String took(Step step) {
    return took(step.startedAt(), step.endedAt());
  }

  private static String took(Instant start, @Nullable Instant end) {
    return end == null ? "" : DisplayFormat.duration(Duration.between(start, end));
  }

  private static String detail(RunSummary run) {
    if (run.failure() != null) {
      return run.failure();
    }
    boolean hasNote = run.note() != null && run.outcome().equals("settled");
    return hasNote ? run.cause() + "; " + run.note() : run.cause();
  }
}
