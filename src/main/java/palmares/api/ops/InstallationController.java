package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.ops.Listing.Body;
import palmares.operations.inbox.Inbox;
import palmares.operations.inbox.InboxItem;
import palmares.operations.report.ClosingForecast;
import palmares.operations.report.RunHistory;
import palmares.operations.report.RunHistory.RunOutcome;
import palmares.operations.report.RunHistory.RunSummary;
import palmares.operations.report.RunHistory.Step;
import palmares.period.Period;
import palmares.period.auditlog.AuditDetails;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.period.auditlog.AuditLog.Stored;
import palmares.platform.nodes.Nodes;
import palmares.platform.nodes.Nodes.Node;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Commands;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

@RestController
class InstallationController implements InstallationResource {
  private static final int MAX_ROWS_IN_TABLE = 20;
  private static final int MAX_ENTRIES_IN_TABLE = 50;
  private static final int MAX_ITEMS_IN_TABLE = 100;
  private static final OutputTable<InboxItem> INBOX =
      OutputTable.of(InboxItem.class).lines("next", row -> commands(row.next()));
  private static final OutputTable<RunRow> RUNS = OutputTable.of(RunRow.class);
  private static final OutputTable<StepRow> STEPS = OutputTable.of(StepRow.class);
  private static final OutputTable<AuditRow> AUDIT =
      OutputTable.of(AuditRow.class).shown("details", InstallationController::details);
  private static final OutputTable<Node> NODES = OutputTable.of(Node.class);

  private final Lookup lookup;
  private final Inbox inbox;
  private final RunHistory runs;
  private final ClosingForecast forecast;
  private final AuditLog auditLog;
  private final Nodes nodes;

  InstallationController(
      Lookup lookup,
      Inbox inbox,
      RunHistory runs,
      ClosingForecast forecast,
      AuditLog auditLog,
      Nodes nodes) {
    this.lookup = lookup;
    this.inbox = inbox;
    this.runs = runs;
    this.forecast = forecast;
    this.auditLog = auditLog;
    this.nodes = nodes;
  }

  @Override
  public Rows<InboxItem> inbox(@Nullable String board, PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    return Listing.page(
        INBOX,
        "inbox",
        page,
        MAX_ITEMS_IN_TABLE,
        2,
        (cursor, most) ->
            inbox.items(only).stream().filter(item -> isAfter(item, cursor)).limit(most).toList(),
        last -> PageCursor.of(last.order(), last.id()));
  }

  private static String commands(List<Next> next) {
    return next.stream().map(Commands::of).collect(Collectors.joining("\n"));
  }

  private static boolean isAfter(InboxItem item, @Nullable PageCursor cursor) {
    return cursor == null || item.isAfter(cursor.number(0), cursor.key(1));
  }

  @Override
  public Rows<Node> nodes() {
    return Listing.of(NODES, "servers", nodes.all());
  }

  @Override
  public Rows<RunRow> runs(
      @Nullable String board,
      @Nullable String period,
      boolean failed,
      boolean stack,
      PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    PeriodName name =
        board == null || period == null
            ? Lookup.nameOrAll(period)
            : lookup.period(board, period).name();
    var shown = new ArrayList<RunSummary>();
    Rows<RunRow> all =
        Listing.page(
            RUNS,
            "runs",
            page,
            MAX_ROWS_IN_TABLE,
            1,
            (cursor, most) -> {
              shown.clear();
              shown.addAll(
                  runs.latest(
                      only,
                      name,
                      failed ? RunOutcome.FAILED : null,
                      PageCursor.number(cursor),
                      most));
              return List.copyOf(shown);
            },
            run ->
                new RunRow(
                    run.board(),
                    run.period(),
                    run.startedAt(),
                    took(run),
                    run.outcome(),
                    run.step(),
                    run.node(),
                    run.cause(),
                    detail(run)),
            last -> PageCursor.of(last.id()));
    return format -> {
      Body body = all.in(format);
      return stack && format == OutputFormat.TABLE
          ? withStacks(body, shown.subList(0, shown.size() - (body.next() == null ? 0 : 1)))
          : body;
    };
  }

  private static Body withStacks(Body body, List<RunSummary> shown) {
    return body.with(
        (out, raw) -> {
          body.content().write(out, raw);
          for (RunSummary run : shown) {
            out.write(stack(run).getBytes(UTF_8));
          }
        });
  }

  @Override
  public Rows<StepRow> steps(String board, String period, int count) {
    Period found = lookup.period(board, period);
    List<StepRow> steps =
        runs.timeline(found.board(), found.name(), Listing.limited(count)).stream()
            .flatMap(run -> run.steps().stream().map(step -> new StepOfRun(run.run(), step).row()))
            .toList();
    return Listing.of(STEPS, "steps", steps)
        .noted(
            forecast.usual(List.of(found.board())).stream()
                .map(
                    usual ->
                        new ListingSentences.UsualTime(
                            usual.board(), duration(usual.seconds()), duration(usual.lateAfter())))
                .toList());
  }

  /** A step or slice, with what became of the run if that ended first. */
  private record StepOfRun(RunSummary run, Step step) {
    StepRow row() {
      return new StepRow(
          run.id(),
          step.step(),
          step.slice(),
          state(),
          step.startedAt(),
          endedAt(),
          step.done(),
          step.total(),
          step.unit(),
          step.perSecond() == null ? null : Math.round(step.perSecond()),
          step.secondsLeft() == null ? null : duration(step.secondsLeft()),
          failure());
    }

    private boolean isCutOff() {
      return step.endedAt() == null && run.endedAt() != null;
    }

    /** A step that has not ended is as its run is. */
    StepState state() {
      if (step.endedAt() != null) {
        return StepState.DONE;
      }
      return switch (run.outcome()) {
        case RUNNING -> StepState.RUNNING;
        case FAILED -> StepState.FAILED;
        case ABANDONED -> StepState.ABANDONED;
        case SETTLED, HELD -> StepState.DONE;
      };
    }

    /** When it ended, or the run before it did; null while it runs. */
    @Nullable Instant endedAt() {
      return step.endedAt() == null ? run.endedAt() : step.endedAt();
    }

    /** Why it failed; null if it did not. */
    @Nullable Sentence failure() {
      return isCutOff() ? run.failure() : null;
    }
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1e3));
  }

  private static String stack(RunSummary run) {
    return run.stack() == null
        ? ""
        : "\n%s %s, started %s:\n".formatted(run.board(), run.period(), run.startedAt())
            + run.stack().lines().map(TerminalText::of).collect(Collectors.joining("\n", "", "\n"));
  }

  private static @Nullable Duration took(RunSummary run) {
    return run.endedAt() == null ? null : Duration.between(run.startedAt(), run.endedAt());
  }

  private static @Nullable Sentence detail(RunSummary run) {
    boolean hasNotes = !run.notes().isEmpty() && run.outcome() == RunOutcome.SETTLED;
    return hasNotes ? new ListSentences.All(run.notes()) : run.failure();
  }

  @Override
  public Rows<AuditRow> auditLog(
      @Nullable String board, @Nullable String period, PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    return Listing.page(
        AUDIT,
        "audit-entries",
        page,
        MAX_ENTRIES_IN_TABLE,
        1,
        (cursor, most) ->
            auditLog.list(
                only == null ? null : only.value(), period, PageCursor.number(cursor), most),
        InstallationController::row,
        last -> PageCursor.of(last.id()));
  }

  private static @Nullable String details(AuditRow row) {
    return row.details() == null ? null : new AuditDetails(row.details()).toString();
  }

  private static AuditRow row(Stored stored) {
    AuditEntry entry = stored.entry();
    return new AuditRow(
        stored.at(),
        entry.verb(),
        entry.object(),
        entry.by(),
        entry.reason(),
        entry.details().isEmpty() ? null : entry.details().values());
  }
}
