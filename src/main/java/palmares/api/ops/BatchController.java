package palmares.api.ops;

import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.ops.ContinuedTasks.Continued;
import palmares.api.ops.Tasks.Progress;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.operations.batches.Batch;
import palmares.operations.batches.Batch.Item;
import palmares.operations.batches.Batch.State;
import palmares.operations.batches.Batch.Verb;
import palmares.operations.batches.BatchRunner;
import palmares.operations.batches.Batches;
import palmares.operations.batches.Batches.ApprovalPage;
import palmares.operations.batches.Batches.Sum;
import palmares.operations.batches.PeriodRange;
import palmares.period.BoardPauses;
import palmares.period.BoardPauses.Pause;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Texts;
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

  private static final OutputTable<Batch> BATCHES =
      new OutputTable<Batch>()
          .number("batch", Batch::id)
          .text("verb", batch -> batch.verb().word())
          .text("for", Batch::target)
          .text("made", Batch::madeAt)
          .wrapped("by", Batch::by)
          .wrapped("reason", Batch::reason)
          .number("periods", batch -> batch.counts().all())
          .text("states", batch -> batch.counts().toString())
          .text("ended", Batch::endedAt);

  private static final OutputTable<Item> ITEMS =
      new OutputTable<Item>()
          .number("n", Item::n)
          .text("period", Item::label)
          .text("state", item -> item.state().word())
          .text("revision", Item::revision)
          .time("at", Item::at)
          .wrapped("message", Item::message);

  private static final OutputTable<Sum> SUMS =
      new OutputTable<Sum>()
          .text("board", Sum::board)
          .text("currency", Sum::currency)
          .number("periods", Sum::periods)
          .number("members_get", Sum::gets)
          .number("members_owe", Sum::owes);

  private static final OutputTable<Pause> PAUSES =
      new OutputTable<Pause>()
          .text("board", pause -> pause.board().value())
          .time("since", Pause::at)
          .wrapped("by", Pause::by)
          .wrapped("reason", Pause::reason);

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
  public Listing batches(PageRequest page) {
    return Listing.page(
        BATCHES,
        "no batches",
        page,
        MAX_ROWS_IN_TABLE,
        1,
        (cursor, most) -> batches.latest(PageCursor.number(cursor), most),
        last -> PageCursor.of(last.id()));
  }

  @Override
  public Listing items(long id, @Nullable String state, PageRequest page) {
    State only = state(state);
    return Listing.page(
        ITEMS,
        "no periods",
        page,
        Listing.DEFAULT_COUNT,
        1,
        (cursor, most) -> batches.items(id, only, cursor == null ? 0 : cursor.number(0), most),
        last -> PageCursor.of(last.n()));
  }

  private static @Nullable State state(@Nullable String word) {
    return word == null ? null : Lookup.choice("state", State.values(), word);
  }

  @Override
  public Listing sums(long id) {
    ApprovalPage page = batches.page(id);
    return Listing.of(SUMS, "no credits are moved", page.sums())
        .with(decisions(page))
        .with(Listing.Status.HELD);
  }

  /** Says what a person can decide, and by which commands. */
  private static List<String> decisions(ApprovalPage page) {
    long id = page.batch().id();
    var lines = new ArrayList<String>();
    lines.add(
        "%s of batch %d %s a decision, and nothing is paid before that"
            .formatted(
                DisplayFormat.count(page.periods(), "outcome", "outcomes"),
                id,
                page.periods() == 1 ? "awaits" : "await"));
    page.reasons().entrySet().stream()
        .limit(MAX_LISTED_REASONS)
        .forEach(
            reason ->
                lines.add(
                    "%s: %s"
                        .formatted(
                            DisplayFormat.count(reason.getValue(), "period", "periods"),
                            TerminalText.of(Texts.english(reason.getKey())))));
    lines.add(
        "  palmares approve --batch %d --expect %s --reason TEXT".formatted(id, page.digest()));
    lines.add(
        "  palmares reject --batch %d --expect %s --reason TEXT".formatted(id, page.digest()));
    return lines;
  }

  @Override
  public Task begin(BatchRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Verb verb = verb(body.verb());
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

  private static Verb verb(@Nullable String word) {
    return Optional.ofNullable(word)
        .flatMap(
            given ->
                List.of(Verb.AMEND, Verb.CLOSE, Verb.RESTART).stream()
                    .filter(verb -> verb.word().equals(given))
                    .findFirst())
        .orElseThrow(
            () -> Lookup.invalid("'verb' is amend, close or restart, not '%s'".formatted(word)));
  }

  private Batch begin(Verb verb, BatchRequest body, String by, String reason) {
    if (verb == Verb.AMEND) {
      if (body.exclusions() == null
          || body.board() != null
          || body.from() != null
          || body.to() != null
          || body.state() != null
          || body.cause() != null) {
        throw Lookup.invalid("'amend' takes 'exclusions', and no range");
      }
      return batches.amend(new TreeSet<>(body.exclusions()), by, reason);
    }
    if (body.exclusions() != null) {
      throw Lookup.invalid("only 'amend' takes 'exclusions'");
    }
    PeriodRange range = range(body);
    return verb == Verb.CLOSE
        ? batches.close(range, by, reason)
        : batches.restart(range, by, reason);
  }

  private PeriodRange range(BatchRequest body) {
    BoardId board = lookup.boardOrAll(body.board());
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
          return Result.done(
                  "batch %1$d ends: %2$s; 'palmares batches resume %1$d' tries the rest"
                      .formatted(id, batch.counts()))
              .about(id)
              .changing(() -> List.of("batch " + id));
        });
  }

  /** Who resumes a batch needs the role that it took to begin it. */
  private void requireRole(long id) {
    Role needed = batches.get(id).of() == null ? Role.OPERATOR : Role.APPROVER;
    Caller caller = Caller.get();
    if (!caller.has(needed)) {
      throw new ProblemException(
          Problem.FORBIDDEN,
          "%s needs the role %s to resume batch %d".formatted(caller.name(), needed.word(), id));
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
  private List<Sum> sums(long id, String digest) {
    return batches
        .undecidedPage(id)
        .filter(page -> page.digest().equals(digest))
        .map(ApprovalPage::sums)
        .orElse(List.of());
  }

  private static String expected(BatchDecision body) {
    String expect = body.expect();
    if (expect == null) {
      throw Lookup.invalid("'expect' is the digest that the sums of the batch were shown with");
    }
    ClosingController.requireDigest(expect);
    return expect;
  }

  private Result again(Batch before) {
    Result result = report(before);
    var first =
        "%s was already %s by %s at %s; nothing was changed"
            .formatted(
                before.target(),
                before.verb() == Verb.APPROVE ? "approved" : "rejected",
                before.by(),
                before.madeAt());
    return new Result(result.state(), Result.verbatim(first))
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
          return Result.done("would " + order(batch)).changing(() -> batches.changes(batch));
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
                new Result(
                    Task.State.RUNNING,
                    Result.verbatim("batch %d: %s".formatted(batch.id(), batch.counts()))),
                null)
            : new Continued(report(batch), batch.endedAt()));
  }

  /** Refuses a batch at once if it could do nothing. */
  private static void requirePeriods(Batch batch) {
    if (batch.counts().all() == 0) {
      throw Lookup.invalid("no period is concerned: " + batch.target());
    }
  }

  private static String words(Batch batch) {
    return "batch %d: %s".formatted(batch.id(), order(batch));
  }

  private static String order(Batch batch) {
    return "%s %s, for %s".formatted(batch.verb().word(), periods(batch), batch.target());
  }

  private static String periods(Batch batch) {
    return DisplayFormat.count(batch.counts().all(), "period", "periods");
  }

  private Result work(Batch batch, Consumer<String> progress) {
    progress.accept(words(batch));
    LongConsumer tried =
        Tasks.everyTenSeconds(
            number ->
                progress.accept(
                    "%s of %s".formatted(DisplayFormat.number(number), periods(batch))));
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
                new ProblemException(
                    Problem.PERIOD_BUSY,
                    "another process works on batch %1$d: 'palmares batches %1$d' shows how far it"
                            .formatted(batch.id())
                        + " is")));
  }

  private Result report(Batch batch) {
    var lines = new ArrayList<String>();
    for (State state : List.of(State.FAILED, State.REFUSED, State.HELD, State.PENDING)) {
      batches
          .items(batch.id(), state, 0, MAX_LISTED_ITEMS)
          .forEach(
              item ->
                  lines.add(
                      "%s %s: %s"
                          .formatted(
                              state.word(),
                              item.label(),
                              TerminalText.of(
                                  item.message() == null ? "not worked on yet" : item.message()))));
    }
    Batch.Counts counts = batch.counts();
    lines.add("batch %d: %s".formatted(batch.id(), counts));
    if (counts.pending() + counts.failed() > 0) {
      lines.add("'palmares batches resume %d' tries the rest again".formatted(batch.id()));
    }
    boolean prepared = batch.verb() == Verb.AMEND && counts.done() > 0;
    if (prepared || counts.held() > 0 && batch.verb() != Verb.APPROVE) {
      batches
          .undecidedPage(batch.id())
          .ifPresent(
              page -> {
                if (!page.sums().isEmpty()) {
                  SUMS.table(page.sums()).lines().forEach(lines::add);
                }
                lines.addAll(decisions(page));
              });
    }
    boolean failed = counts.pending() + counts.failed() + counts.refused() > 0;
    return new Result(
            failed
                ? Task.State.FAILED
                : prepared || counts.held() > 0 ? Task.State.HELD : Task.State.DONE,
            Result.verbatim(lines))
        .about(batch.id());
  }

  @Override
  public Listing pauses() {
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
          return Result.done(
                  ("%1$s is paused: no closing of it starts until 'palmares resume %1$s --reason"
                          + " TEXT'")
                      .formatted(id))
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
          return Result.done("%s is resumed: the next sweep closes what is due".formatted(id))
              .changing(() -> List.of(ended.toString()));
        });
  }
}
