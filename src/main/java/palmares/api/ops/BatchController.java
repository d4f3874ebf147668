package palmares.api.ops;

import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.operations.batches.Batch;
import palmares.operations.batches.Batch.State;
import palmares.operations.batches.Batch.Verb;
import palmares.operations.batches.BatchReport;
import palmares.operations.batches.BatchRunner;
import palmares.operations.batches.BatchSentences;
import palmares.operations.batches.Batches;
import palmares.operations.batches.Batches.ApprovalPage;
import palmares.operations.batches.Batches.BoardSum;
import palmares.operations.batches.PeriodRange;
import palmares.operations.batches.TaskEntry;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.ItemTasks;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.TaskItems;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.period.BoardPauses;
import palmares.period.BoardPauses.Pause;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;

/** Begins batches, decides on them, and lists what became of their periods. */
@RestController
class BatchController implements BatchResource {
  /** What is said of boards whose closings are paused. */
  interface PauseSentences {
    record Paused(String board) implements Sentence {}

    record Resumed(String board) implements Sentence {}
  }

  private static final int MAX_ROWS_IN_TABLE = 20;

  private static final OutputTable<TaskRow> TASKS = OutputTable.of(TaskRow.class);
  private static final OutputTable<TaskItemRow> ITEMS = OutputTable.of(TaskItemRow.class);
  private static final OutputTable<BoardSum> SUMS = OutputTable.of(BoardSum.class);
  private static final OutputTable<Pause> PAUSES = OutputTable.of(Pause.class);

  /** The verbs that begin a batch, rather than decide on one. */
  private static final Verb[] BEGUN = {Verb.CLOSE, Verb.RESTART, Verb.AMEND};

  private final Tasks tasks;
  private final ItemTasks items;
  private final Lookup lookup;
  private final Batches batches;
  private final BatchReport report;
  private final BatchRunner runner;
  private final BoardPauses pauses;

  BatchController(
      Tasks tasks,
      ItemTasks items,
      Lookup lookup,
      Batches batches,
      BatchReport report,
      BatchRunner runner,
      BoardPauses pauses) {
    this.tasks = tasks;
    this.items = items;
    this.lookup = lookup;
    this.batches = batches;
    this.report = report;
    this.runner = runner;
    this.pauses = pauses;
  }

  @Override
  public Rows<TaskRow> tasks(boolean batches, PageRequest page) {
    return Listing.page(
        TASKS,
        "tasks",
        page,
        MAX_ROWS_IN_TABLE,
        1,
        (cursor, most) -> this.batches.latest(batches, PageCursor.number(cursor), most),
        this::row,
        last -> PageCursor.of(last.id()));
  }

  /** Others may have gone on with one whose process has ended. */
  private TaskRow row(TaskEntry task) {
    Task.State state =
        task.state() == Task.State.ABANDONED ? tasks.get(task.id()).state() : task.state();
    return new TaskRow(
        task.id(),
        task.verb(),
        task.board(),
        task.period(),
        task.target(),
        state,
        task.target() == null ? null : task.counts().said(),
        task.by(),
        task.reason(),
        task.startedAt(),
        task.endedAt());
  }

  @Override
  public Rows<TaskItemRow> items(long id, @Nullable String state, PageRequest page) {
    State only = state(state);
    return Listing.page(
        ITEMS,
        "periods",
        page,
        Listing.DEFAULT_COUNT,
        1,
        (cursor, most) -> batches.items(id, only, cursor == null ? 0 : cursor.number(0), most),
        item ->
            new TaskItemRow(
                item.n(),
                item.board(),
                item.name(),
                item.state(),
                item.revision(),
                item.at(),
                item.message()),
        last -> PageCursor.of(last.n()));
  }

  private static @Nullable State state(@Nullable String word) {
    return word == null ? null : Lookup.choice("state", State.values(), word);
  }

  @Override
  public Rows<BoardSum> sums(long id) {
    ApprovalPage page = batches.page(id);
    return Listing.of(SUMS, "sums", page.sums())
        .noted(report.decisions(page))
        .then(report.next(page))
        .with(Listing.Status.HELD);
  }

  @Override
  public Task begin(BatchRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Verb verb = Lookup.choice("verb", BEGUN, body.verb());
    return items.begin(
        call,
        new VerbRequest(verb.ofTask(), body.board(), null, reason, body)
            .with("exclusions", body.exclusions())
            .with("from", body.from())
            .with("to", body.to())
            .with("state", body.state())
            .with("cause", body.cause()),
        () -> items(verb, body),
        runner::run);
  }

  private TaskItems items(Verb verb, BatchRequest body) {
    if (verb == Verb.AMEND) {
      if (body.exclusions() == null
          || body.board() != null
          || body.all()
          || body.from() != null
          || body.to() != null
          || body.state() != null
          || body.cause() != null) {
        throw Lookup.invalid("exclusions", new BatchSentences.ExclusionsAlone());
      }
      return batches.amend(new TreeSet<>(body.exclusions()));
    }
    if (body.exclusions() != null) {
      throw Lookup.invalid("exclusions", new BatchSentences.NoExclusions());
    }
    PeriodRange range = range(body);
    return verb == Verb.CLOSE ? batches.close(range) : batches.restart(range);
  }

  private PeriodRange range(BatchRequest body) {
    BoardId board = lookup.boardOrAll(body.board(), body.all());
    ZoneId zone = lookup.zone(body.board());
    return new PeriodRange(
        board,
        Lookup.time("from", body.from(), zone),
        Lookup.time("to", body.to(), zone),
        body.state(),
        body.cause());
  }

  @Override
  public Task cancelBatch(long id, ReasonRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    return tasks.now(
        call,
        new VerbRequest("cancel-batch", null, null, reason, List.of(id, body)).with("batch", id),
        by -> {
          Batch batch = batches.cancel(id, by, reason);
          return Result.done(new BatchSentences.Cancelled(id, batch.counts().said()))
              .then(Next.of("resume-batch").with("id", id))
              // Not what is left, which becomes less all the time: a cancel would come too late.
              .changing(() -> List.of("batch " + id));
        });
  }

  /** Who resumes a batch needs the role that it took to begin it. */
  private void requireRole(long id) {
    String needed = batches.get(id).verb().role();
    Caller caller = Caller.get();
    if (!caller.has(Role.of(needed))) {
      throw new Refusal(
          Problem.FORBIDDEN, new BatchSentences.RoleNeeded(caller.name(), needed, id));
    }
  }

  @Override
  public Task resumeBatch(long id, ReasonRequest body, Call call) {
    requireRole(id);
    Task asked =
        tasks.now(
            call,
            new VerbRequest(
                    "resume-batch", null, null, Lookup.reason(body.reason()), List.of(id, body))
                .with("batch", id),
            by -> batches.resume(id, by),
            done -> {
              items.goOn(id, Caller.get().name(), runner::run);
              return done;
            });
    return call.dryRun() ? asked : tasks.get(id);
  }

  @Override
  public Task approveBatch(long id, BatchDecision body, Call call) {
    return decide(Verb.APPROVE, id, body, call);
  }

  @Override
  public Task rejectBatch(long id, BatchDecision body, Call call) {
    return decide(Verb.REJECT, id, body, call);
  }

  /**
   * Begins to decide on what a batch has prepared or left held. If the same person decides so
   * already, or has, answers with that task: its first answer may have been lost.
   */
  private Task decide(Verb verb, long id, BatchDecision body, Call call) {
    String reason = Lookup.reason(body.reason());
    String expect = expected(body);
    String by = Caller.get().name();
    VerbRequest order =
        new VerbRequest(verb.ofTask(), null, null, reason, List.of(id, body))
            .with("batch", id)
            .with("digest", expect);
    Optional<Task> former = tasks.former(call, order);
    if (former.isPresent()) {
      return former.get();
    }
    Batches.Decision decision = batches.decision(verb, id, expect, by);
    Batch before = decision.batch();
    if (before != null) {
      Task task = tasks.get(before.id());
      if (call.dryRun()) {
        return tasks.answered(
            call.compared(), order, new Result(task.state(), task.messages()).then(task.next()));
      }
      if (!task.isOver()) {
        items.goOn(before.id(), by, runner::run);
      }
      return task;
    }
    return items.begin(
        call,
        order.with("sums", decision.sums()),
        () -> batches.decide(verb, id, expect),
        runner::run);
  }

  private static String expected(BatchDecision body) {
    String expect = body.expect();
    if (expect == null) {
      throw Lookup.invalid("expect", new BatchSentences.DigestMissing());
    }
    DecisionController.requireDigest(expect);
    return expect;
  }

  @Override
  public Rows<Pause> pauses() {
    return Listing.of(PAUSES, "pauses", pauses.list());
  }

  @Override
  public Task pause(String board, ReasonRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    BoardId id = lookup.board(board);
    return tasks.now(
        call,
        new VerbRequest("pause", board, null, reason, body),
        by -> {
          pauses.pause(id, by, reason);
          return Result.done(new PauseSentences.Paused(id.value()))
              .then(Next.of("resume").with("board", id))
              .changing(() -> List.of(id.value()));
        });
  }

  @Override
  public Task resume(String board, ReasonRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    BoardId id = lookup.board(board);
    return tasks.now(
        call,
        new VerbRequest("resume", board, null, reason, body),
        by -> {
          Pause ended = pauses.resume(id, by, reason);
          return Result.done(new PauseSentences.Resumed(id.value()))
              .changing(() -> List.of(ended.toString()));
        });
  }
}
