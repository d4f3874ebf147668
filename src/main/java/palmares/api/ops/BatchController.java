package palmares.api.ops;

import static java.time.ZoneOffset.UTC;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.operations.batches.Batch;
import palmares.operations.batches.Batch.State;
import palmares.operations.batches.Batch.Verb;
import palmares.operations.batches.BatchRunner;
import palmares.operations.batches.BatchSentences.ApprovedBefore;
import palmares.operations.batches.BatchSentences.Await;
import palmares.operations.batches.BatchSentences.Begun;
import palmares.operations.batches.BatchSentences.Busy;
import palmares.operations.batches.BatchSentences.Cancelled;
import palmares.operations.batches.BatchSentences.DigestMissing;
import palmares.operations.batches.BatchSentences.ExclusionsAlone;
import palmares.operations.batches.BatchSentences.Gets;
import palmares.operations.batches.BatchSentences.GivesBack;
import palmares.operations.batches.BatchSentences.HeldFor;
import palmares.operations.batches.BatchSentences.Moved;
import palmares.operations.batches.BatchSentences.NoExclusions;
import palmares.operations.batches.BatchSentences.NotWorkedOn;
import palmares.operations.batches.BatchSentences.NothingTouched;
import palmares.operations.batches.BatchSentences.Now;
import palmares.operations.batches.BatchSentences.Order;
import palmares.operations.batches.BatchSentences.PeriodIs;
import palmares.operations.batches.BatchSentences.RejectedBefore;
import palmares.operations.batches.BatchSentences.RestLeft;
import palmares.operations.batches.BatchSentences.RoleNeeded;
import palmares.operations.batches.BatchSentences.Tried;
import palmares.operations.batches.BatchSentences.Would;
import palmares.operations.batches.Batches;
import palmares.operations.batches.Batches.ApprovalPage;
import palmares.operations.batches.Batches.BoardSum;
import palmares.operations.batches.PeriodRange;
import palmares.operations.report.OutcomeSums.MemberSum;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.ContinuedTasks;
import palmares.operations.tasks.ContinuedTasks.Continued;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.Tasks.Progress;
import palmares.operations.tasks.VerbRequest;
import palmares.period.BoardPauses;
import palmares.period.BoardPauses.Pause;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;

/**
 * A batch runs in the process that answers. If that dies, a scheduler goes on with it, and so does
 * {@code resume}.
 */
@RestController
class BatchController implements BatchResource {
  /** How long to retry periods, or a batch, that another process holds. */
  private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(60);

  private static final int MAX_ROWS_IN_TABLE = 20;
  private static final int MAX_LISTED_ITEMS = 20;
  private static final int MAX_LISTED_REASONS = 10;

  private static final OutputTable<BatchRow> BATCHES = OutputTable.of(BatchRow.class);
  private static final OutputTable<BatchItemRow> ITEMS = OutputTable.of(BatchItemRow.class);
  private static final OutputTable<BoardSum> SUMS = OutputTable.of(BoardSum.class);
  private static final OutputTable<Pause> PAUSES = OutputTable.of(Pause.class);

  /** The verbs that begin a batch, rather than decide on one. */
  private static final Verb[] BEGUN = {Verb.CLOSE, Verb.RESTART, Verb.AMEND};

  /** The verbs whose tasks work on a batch. */
  private static final List<String> CONTINUED =
      List.of(
          "amend-batch",
          "approve-batch",
          "close-batch",
          "reject-batch",
          "restart-batch",
          "resume-batch");

  private final Tasks tasks;
  private final Lookup lookup;
  private final Batches batches;
  private final BatchRunner runner;
  private final BoardPauses pauses;

  BatchController(
      Tasks tasks,
      ContinuedTasks continued,
      Lookup lookup,
      Batches batches,
      BatchRunner runner,
      BoardPauses pauses) {
    this.tasks = tasks;
    this.lookup = lookup;
    this.batches = batches;
    this.runner = runner;
    this.pauses = pauses;
    for (String verb : CONTINUED) {
      continued.add(verb, this::continued);
    }
  }

  @Override
  public Rows<BatchRow> batches(PageRequest page) {
    return Listing.page(
        BATCHES,
        "no batches",
        page,
        MAX_ROWS_IN_TABLE,
        1,
        (cursor, most) -> batches.latest(PageCursor.number(cursor), most),
        BatchController::row,
        last -> PageCursor.of(last.id()));
  }

  private static BatchRow row(Batch batch) {
    return new BatchRow(
        batch.id(),
        batch.verb().word(),
        batch.target(),
        batch.madeAt(),
        batch.by(),
        batch.reason(),
        batch.counts().all(),
        batch.counts().said(),
        batch.endedAt());
  }

  @Override
  public Rows<BatchItemRow> items(long id, @Nullable String state, PageRequest page) {
    State only = state(state);
    return Listing.page(
        ITEMS,
        "no periods",
        page,
        Listing.DEFAULT_COUNT,
        1,
        (cursor, most) -> batches.items(id, only, cursor == null ? 0 : cursor.number(0), most),
        item ->
            new BatchItemRow(
                item.n(),
                item.label(),
                item.state().word(),
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
    return Listing.of(SUMS, "no credits are moved", page.sums())
        .noted(decisions(page))
        .then(next(page))
        .with(Listing.Status.HELD);
  }

  /** What awaits a person's decision, and why. */
  private List<Sentence> decisions(ApprovalPage page) {
    var said = new ArrayList<Sentence>();
    said.add(new Await(page.periods(), page.batch().id()));
    page.reasons().entrySet().stream()
        .limit(MAX_LISTED_REASONS)
        .forEach(reason -> said.add(new HeldFor(reason.getValue(), reason.getKey())));
    batches.largest(page).forEach(moved -> said.add(said(moved)));
    return said;
  }

  private static Sentence said(MemberSum moved) {
    return moved.credits().signum() > 0
        ? new Gets(moved.member(), moved.credits(), moved.currency(), moved.periods())
        : new GivesBack(
            moved.member(), moved.credits().negate(), moved.currency(), moved.periods());
  }

  private static List<Next> next(ApprovalPage page) {
    return Stream.of("approve-batch", "reject-batch")
        .map(verb -> Next.of(verb).with("id", page.batch().id()).with("expect", page.digest()))
        .toList();
  }

  @Override
  public Task begin(BatchRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Verb verb = Lookup.choice("verb", BEGUN, body.verb());
    return run(
        call,
        new VerbRequest(verb.word() + "-batch", body.board(), null, reason, body)
            .with("exclusions", body.exclusions())
            .with("from", body.from())
            .with("to", body.to())
            .with("state", body.state())
            .with("cause", body.cause()),
        by -> begin(verb, body, by, reason));
  }

  private Batch begin(Verb verb, BatchRequest body, String by, String reason) {
    if (verb == Verb.AMEND) {
      if (body.exclusions() == null
          || body.board() != null
          || body.all()
          || body.from() != null
          || body.to() != null
          || body.state() != null
          || body.cause() != null) {
        throw Lookup.invalid("exclusions", new ExclusionsAlone());
      }
      return batches.amend(new TreeSet<>(body.exclusions()), by, reason);
    }
    if (body.exclusions() != null) {
      throw Lookup.invalid("exclusions", new NoExclusions());
    }
    PeriodRange range = range(body);
    return verb == Verb.CLOSE
        ? batches.close(range, by, reason)
        : batches.restart(range, by, reason);
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
          return Result.done(new Cancelled(id, batch.counts().said()))
              .then(Next.of("resume-batch").with("id", id))
              .about(id)
              .changing(() -> List.of("batch " + id));
        });
  }

  /** Who resumes a batch needs the role that it took to begin it. */
  private void requireRole(long id) {
    Role needed = batches.get(id).of() == null ? Role.OPERATOR : Role.APPROVER;
    Caller caller = Caller.get();
    if (!caller.has(needed)) {
      throw new Refusal(Problem.FORBIDDEN, new RoleNeeded(caller.name(), needed.word(), id));
    }
  }

  @Override
  public Task resumeBatch(long id, ReasonRequest body, Call call) {
    requireRole(id);
    return run(
        call,
        new VerbRequest("resume-batch", null, null, Lookup.reason(body.reason()), List.of(id, body))
            .with("batch", id),
        by -> batches.resume(id, by));
  }

  @Override
  public Task approveBatch(long id, BatchDecision body, Call call) {
    return decide(Verb.APPROVE, id, body, call, batches::approve);
  }

  @Override
  public Task rejectBatch(long id, BatchDecision body, Call call) {
    return decide(Verb.REJECT, id, body, call, batches::reject);
  }

  /** Begins to decide on what a batch has prepared or left held. */
  @FunctionalInterface
  private interface Decision {
    Batch begin(long id, String expect, String by, String reason);
  }

  /**
   * If the same person has decided so before, answers what that has done: it may have been lost.
   */
  private Task decide(Verb verb, long id, BatchDecision body, Call call, Decision decision) {
    String reason = Lookup.reason(body.reason());
    String expect = expected(body);
    VerbRequest order =
        new VerbRequest(verb.word() + "-batch", null, null, reason, List.of(id, body))
            .with("batch", id)
            .with("digest", expect)
            .with("sums", sums(id, expect));
    return batches
        .decidedBefore(verb, id, expect, Caller.get().name())
        .map(before -> tasks.answered(call.compared(), order, again(before)))
        .orElseGet(() -> run(call, order, by -> decision.begin(id, expect, by, reason)));
  }

  /** What was shown with a digest; empty if the batch has another one now. */
  private List<BoardSum> sums(long id, String digest) {
    return batches
        .undecidedPage(id)
        .filter(page -> page.digest().equals(digest))
        .map(ApprovalPage::sums)
        .orElse(List.of());
  }

  private static String expected(BatchDecision body) {
    String expect = body.expect();
    if (expect == null) {
      throw Lookup.invalid("expect", new DigestMissing());
    }
    ClosingController.requireDigest(expect);
    return expect;
  }

  private Result again(Batch before) {
    Result result = report(before);
    ZonedDateTime at = before.madeAt().atZone(UTC);
    Sentence first =
        before.verb() == Verb.APPROVE
            ? new ApprovedBefore(before.target(), before.by(), at)
            : new RejectedBefore(before.target(), before.by(), at);
    return new Result(result.state(), List.of(first))
        .and(result.messages())
        .then(result.next())
        .about(before.id());
  }

  /** Begins a batch, and works on it. */
  private Task run(Call call, VerbRequest order, Function<String, Batch> begin) {
    return tasks.later(
        call,
        order.recordedFirst(),
        by -> requirePeriods(begin.apply(by)),
        by -> {
          Batch batch = begin.apply(by);
          return Result.done(new Would(order(batch))).changing(() -> batches.changes(batch));
        },
        (by, progress) -> work(begin(call, order, by, begin, progress), progress));
  }

  /** The heartbeat may have changed the row of the task meanwhile; then it is tried once more. */
  private Batch begin(
      Call call, VerbRequest order, String by, Function<String, Batch> begin, Progress progress) {
    try {
      return beginOnce(call, order, by, begin, progress);
    } catch (ConcurrencyFailureException changed) {
      return beginOnce(call, order, by, begin, progress);
    }
  }

  private Batch beginOnce(
      Call call, VerbRequest order, String by, Function<String, Batch> begin, Progress progress) {
    return batches.begin(
        () -> begin.apply(by),
        batch -> {
          if (call.isConditional()) {
            call.requireShown(order.verb(), batches.changes(batch));
          }
          progress.about(batch.id());
        });
  }

  /** A batch goes on in any scheduler, so its task is what became of the batch. */
  private Optional<Continued> continued(Task task) {
    if (task.batch() == null) {
      return Optional.empty();
    }
    Batch batch = batches.get(task.batch());
    return Optional.of(
        batch.endedAt() == null
            ? new Continued(
                new Result(Task.State.RUNNING, List.of(new Now(batch.id(), batch.counts().said()))),
                null)
            : new Continued(report(batch), batch.endedAt()));
  }

  /** Refuses a batch at once if it could do nothing. */
  private static void requirePeriods(Batch batch) {
    if (batch.counts().all() == 0) {
      throw Lookup.invalid("exclusions", new NothingTouched(batch.target()));
    }
  }

  private static Sentence order(Batch batch) {
    return new Order(batch.verb(), batch.counts().all(), batch.target());
  }

  private Result work(Batch batch, Progress progress) {
    progress.say(new Begun(batch.id(), order(batch)));
    LongConsumer tried =
        Tasks.everyTenSeconds(number -> progress.say(new Tried(number, batch.counts().all())));
    Optional<Batch> worked =
        new BusyRetry(BUSY_TIMEOUT)
            .until(
                done -> done.isPresent() && done.get().endedAt() != null,
                () ->
                    runner.run(
                        batch.id(),
                        item -> {
                          tried.accept(item.n() - 1);
                          return true;
                        }));
    return report(
        worked.orElseThrow(
            () ->
                new Refusal(Problem.PERIOD_BUSY, new Busy(batch.id()))
                    .then(Next.of("batches").with("id", batch.id()))));
  }

  private Result report(Batch batch) {
    var said = new ArrayList<Sentence>();
    for (State state : List.of(State.FAILED, State.REFUSED, State.HELD, State.PENDING)) {
      batches
          .items(batch.id(), state, 0, MAX_LISTED_ITEMS)
          .forEach(
              item ->
                  said.add(
                      new PeriodIs(
                          state,
                          item.label(),
                          item.message() == null ? new NotWorkedOn() : item.message())));
    }
    Batch.Counts counts = batch.counts();
    said.add(new Now(batch.id(), counts.said()));
    var next = new ArrayList<Next>();
    if (counts.pending() + counts.failed() > 0) {
      said.add(new RestLeft());
      next.add(Next.of("resume-batch").with("id", batch.id()));
    }
    boolean prepared = batch.verb() == Verb.AMEND && counts.done() > 0;
    if (prepared || counts.held() > 0 && batch.verb() != Verb.APPROVE) {
      batches
          .undecidedPage(batch.id())
          .ifPresent(
              page -> {
                page.sums()
                    .forEach(
                        sum ->
                            said.add(
                                new Moved(
                                    sum.board(),
                                    sum.gets(),
                                    sum.currency(),
                                    sum.owes(),
                                    sum.periods())));
                said.addAll(decisions(page));
                next.addAll(next(page));
              });
    }
    boolean failed = counts.pending() + counts.failed() + counts.refused() > 0;
    return new Result(
            failed
                ? Task.State.FAILED
                : prepared || counts.held() > 0 ? Task.State.HELD : Task.State.DONE,
            said)
        .then(next)
        .about(batch.id());
  }

  @Override
  public Rows<Pause> pauses() {
    return Listing.of(PAUSES, "no board is paused", pauses.list());
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
