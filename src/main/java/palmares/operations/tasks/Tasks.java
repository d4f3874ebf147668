package palmares.operations.tasks;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.nodes.ThisProcess;
import palmares.platform.text.DisplayFormat;
import palmares.platform.text.Sentence;

/**
 * Runs verbs, each as a task that is stored. A short one commits with its task in one transaction.
 * A long one runs in the background of this process. If that dies, the task is abandoned, unless
 * other work has done it; a repeat with the same idempotency key runs it again. Verbs may run again
 * at any time, because leases and states guard what they change.
 */
@Component
public class Tasks implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);
  private static final String APPROVE = "approve";

  /** For closings and people's decisions, which nothing of the other kind delays. */
  public static final int MAX_CONCURRENT_TASKS = 4;

  public static final int MAINTENANCE_WORKERS = 2;

  /** Verbs that may take hours. */
  private static final Set<String> MAINTENANCE =
      Set.of("verify", "rebuild", "archive", "check-archive", "drop-orphans");

  /** The roles of long verbs that operators may not call. */
  private static final Map<String, String> OTHER_ROLES = Map.of(APPROVE, "approver");

  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(20);

  private final TaskRows rows;
  private final TaskLeases leases;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final AuditLog auditLog;
  private final CallerName caller;
  private volatile Duration retryInterval = Duration.ofSeconds(2);
  private final TaskQueue workers = new TaskQueue("task", MAX_CONCURRENT_TASKS, SHUTDOWN_TIMEOUT);
  private final TaskQueue maintenance =
      new TaskQueue("maintenance", MAINTENANCE_WORKERS, Duration.ZERO);
  private final TaskWaits waits;
  private final ContinuedTasks continued;

  Tasks(
      TaskRows rows,
      TaskLeases leases,
      TransactionTemplate transaction,
      Clock clock,
      AuditLog auditLog,
      ContinuedTasks continued,
      CallerName caller) {
    this.caller = caller;
    this.continued = continued;
    this.rows = rows;
    this.leases = leases;
    this.transaction = transaction;
    this.clock = clock;
    this.auditLog = auditLog;
    this.waits = new TaskWaits(ids -> continued.latest(rows.find(ids)));
    waits.start();
  }

  /** The work of a long task. */
  @FunctionalInterface
  public interface Work {
    /**
     * @param by who called the verb
     * @param progress receives what the task does
     */
    Result run(String by, Progress progress);
  }

  /** What work on many objects says, and asks, between two of them. */
  public interface Progress {
    /** Stores what the task does. */
    void say(Sentence done);

    /** Whether the caller may still do this. */
    boolean mayGoOn();
  }

  /**
   * Runs a short verb; as a dry run, rolls it back. If the call is conditional, the verb must have
   * changed what the caller was shown, or it is rolled back and refused.
   *
   * @param work gets the caller's name
   */
  public Task now(Call call, VerbRequest order, Function<String, Result> work) {
    return now(call, order, work, result -> result);
  }

  /**
   * As {@link #now(Call, VerbRequest, Function)}.
   *
   * @param committed is called after the commit, for what no transaction covers; never in a dry run
   */
  public Task now(
      Call call,
      VerbRequest order,
      Function<String, Result> work,
      Function<Result, Result> committed) {
    String by = caller.get();
    if (call.dryRun()) {
      return unstored(call, order, by, work);
    }
    return once(
        call,
        order,
        by,
        id -> {
          var heartbeat = keepAlive(id);
          try {
            Result result =
                transaction.execute(
                    status -> {
                      Result done = recorded(order, by, () -> work.apply(by));
                      requireShown(call, order, done);
                      requireOwn(id, rows.end(id, done, null));
                      return done;
                    });
            Result whole = committed.apply(result);
            if (whole != result) {
              transaction.executeWithoutResult(status -> rows.amend(id, whole));
            }
          } catch (RuntimeException e) {
            rows.refuse(id, refusal(e));
            throw e;
          } finally {
            heartbeat.cancel(false);
            rows.running().remove(id);
          }
        });
  }

  /** Answers a verb that has had its effect: changes nothing, and stores no audit entry. */
  public Task answered(Call call, VerbRequest order, Result before) {
    String by = caller.get();
    if (call.dryRun()) {
      return unstored(call, order, by, caller -> before);
    }
    return once(
        call,
        order,
        by,
        id ->
            transaction.executeWithoutResult(status -> requireOwn(id, rows.end(id, before, null))));
  }

  /**
   * A secret that a verb has made, and what it says about it.
   *
   * @param secret is never stored
   */
  public record Issued(String secret, Result result) {}

  /**
   * Runs a short verb that makes a secret. Only the task that this returns has it: a repeat with
   * the same idempotency key makes no other, and is refused.
   *
   * @throws Refusal if an earlier call with this key was answered with the secret, or runs
   */
  public Task issue(Call call, VerbRequest order, Function<String, Issued> work) {
    var secret = new AtomicReference<@Nullable String>();
    Task task =
        now(
            call,
            order,
            by -> {
              Issued issued = work.apply(by);
              secret.set(issued.secret());
              return issued.result();
            });
    if (call.dryRun()) {
      return task;
    }
    String made = secret.get();
    if (made != null) {
      return task.with(made);
    }
    if (!task.isOver()) {
      throw new Refusal(Problem.IDEMPOTENCY_KEY_IN_USE, new TaskSentences.StillProcessed());
    }
    throw new Refusal(
        Problem.SECRET_ALREADY_SHOWN,
        new TaskSentences.SecretShown(Objects.requireNonNull(task.id())));
  }

  /**
   * Starts a long verb. If the call is conditional, it is refused at once unless its dry run is
   * what the caller was shown; the work must compare again what it is about to change.
   *
   * @param check refuses it at once, if it must be; rolled back
   * @param dryRun says what it would do; rolled back
   */
  public Task later(
      Call call,
      VerbRequest order,
      Consumer<String> check,
      Function<String, Result> dryRun,
      Work work) {
    String by = caller.get();
    if (call.dryRun()) {
      return unstored(call, order, by, dryRun);
    }
    return once(
        call,
        order,
        by,
        id -> {
          try {
            transaction.executeWithoutResult(
                status -> {
                  status.setRollbackOnly();
                  check.accept(by);
                  if (call.isConditional()) {
                    requireShown(call, order, dryRun.apply(by));
                  }
                });
          } catch (RuntimeException e) {
            rows.refuse(id, refusal(e));
            throw e;
          }
          queue(order, id, by, work);
        });
  }

  private void queue(VerbRequest order, long id, String by, Work work) {
    TaskQueue.Place place = place(order, id, by);
    place.ifQueued(ahead -> progress(id, new TaskSentences.Queued(ahead)));
    var heartbeat = keepAlive(id);
    place.run(() -> run(id, order, by, work, heartbeat));
  }

  TaskQueue.Place place(VerbRequest order, long id, String by) {
    try {
      return (MAINTENANCE.contains(order.verb()) ? maintenance : workers).take(by);
    } catch (Refusal e) {
      rows.refuse(id, e);
      throw e;
    }
  }

  /** Reports the progress of a long task now and then, as each line of it is stored. */
  public static LongConsumer everyTenSeconds(LongConsumer report) {
    long[] reported = {System.nanoTime()};
    return done -> {
      if (DisplayFormat.since(reported[0]).toSeconds() >= 10) {
        reported[0] = System.nanoTime();
        report.accept(done);
      }
    };
  }

  Future<?> keepAlive(long id) {
    rows.running().add(id);
    return leases.keepAlive(id, ThisProcess.NAME);
  }

  /** Runs a short verb, and stores an audit entry with its reason if the verb has stored none. */
  private Result recorded(VerbRequest order, String by, Supplier<Result> work) {
    try (AuditLog.Watch watch = auditLog.watch(order.reason())) {
      Result done = work.get();
      append(order, by, watch);
      return done;
    }
  }

  /** An approval that counts has an entry; one that does not is none. */
  private void append(VerbRequest order, String by, AuditLog.Watch watch) {
    if (!watch.found() && !order.verb().equals(APPROVE)) {
      auditLog.append(order.entry(by));
    }
  }

  /**
   * What a long verb does in the transaction that takes the lease: it compares its condition, and
   * stores its audit entry, once if it has to try again.
   */
  public Runnable recording(Runnable condition, VerbRequest order, String by) {
    var stored = new AtomicBoolean();
    return () -> {
      condition.run();
      if (!stored.getAndSet(true)) {
        auditLog.append(order.entry(by));
      }
    };
  }

  private void run(long id, VerbRequest order, String by, Work work, Future<?> heartbeat) {
    Result result;
    @Nullable Refusal problem = null;
    AuditLog.Watch watch = auditLog.watch(order.reason());
    try {
      requireStillAllowed(id, order, by);
      if (order.isRecordedFirst()) {
        transaction.executeWithoutResult(status -> append(order, by, watch));
      }
      result = work.run(by, progressOf(id, order));
    } catch (Throwable e) {
      problem = problem(id, e);
      result = new Result(Task.State.FAILED, List.of());
    } finally {
      watch.close();
    }
    end(id, order, by, watch, new Ended(result, problem), heartbeat);
  }

  private record Ended(Result result, @Nullable Refusal problem) {}

  /** Stores the end of a task; as often as it takes while PostgreSQL does not answer. */
  private void end(
      long id,
      VerbRequest order,
      String by,
      AuditLog.Watch watch,
      Ended ended,
      Future<?> heartbeat) {
    try {
      transaction.executeWithoutResult(
          status -> {
            Refusal problem = ended.problem();
            if (problem == null || problem.problem().isOfServer()) {
              append(order, by, watch); // What was refused has changed nothing.
            }
            rows.end(id, ended.result(), problem);
          });
    } catch (RuntimeException e) {
      LOG.error("the end of a task cannot be stored task={}; this is tried again", id, e);
      leases.later(retryInterval, () -> end(id, order, by, watch, ended, heartbeat));
      return;
    }
    heartbeat.cancel(false);
    rows.running().remove(id);
    waits.changed(id);
  }

  public void retryEvery(Duration interval) {
    retryInterval = interval;
  }

  private Progress progressOf(long id, VerbRequest order) {
    return new Progress() {
      @Override
      public void say(Sentence done) {
        progress(id, done);
      }

      @Override
      public boolean mayGoOn() {
        return isStillAllowed(id, order);
      }
    };
  }

  private boolean isStillAllowed(long id, VerbRequest order) {
    return rows.mayAct(id, OTHER_ROLES.getOrDefault(order.verb(), "operator"));
  }

  /** The caller may have been disabled, or have lost the role, while the task was queued. */
  private void requireStillAllowed(long id, VerbRequest order, String by) {
    if (!isStillAllowed(id, order)) {
      throw new Refusal(Problem.FORBIDDEN, new TaskSentences.NotAllowedAnyMore(by));
    }
  }

  private static Refusal problem(long id, Throwable e) {
    if (!(e instanceof Refusal)) {
      LOG.error("a task failed task={}", id, e);
    }
    return refusal(e);
  }

  static Refusal refusal(Throwable e) {
    if (e instanceof Refusal known) {
      return known;
    }
    Throwable cause = NestedExceptionUtils.getMostSpecificCause(e);
    return new Refusal(Problem.INTERNAL, Refusal.said(cause));
  }

  /**
   * A verb compares a condition here, or it calls with {@link Call#compared} and does it itself.
   */
  static void requireShown(Call call, VerbRequest order, Result result) {
    if (!call.isConditional()) {
      return;
    }
    if (result.changes() == null) {
      throw new Refusal(Problem.STALE_VIEW, new CallSentences.NoTag());
    }
    call.requireShown(order.verb(), result.changes().get());
  }

  Task unstored(Call call, VerbRequest order, String by, Function<String, Result> work) {
    return transaction.execute(
        status -> {
          status.setRollbackOnly();
          Result result = work.apply(by);
          requireShown(call, order, result);
          Instant now = clock.instant();
          return new Task(
              null,
              order.verb(),
              order.board(),
              order.period(),
              by,
              order.reason(),
              now,
              now,
              result.state(),
              result.messages(),
              result.next(),
              List.of(),
              null,
              null,
              null,
              null,
              result.changes() == null ? null : Call.tag(order.verb(), result.changes().get()),
              result.pays());
        });
  }

  /** Runs the order, unless a task with its idempotency key exists, or the same decision runs. */
  Task once(Call call, VerbRequest order, String by, Consumer<Long> run) {
    // The task of a verb that is refused loses its key: if that happens in between, claim again.
    while (true) {
      Optional<Long> claimed = Optional.empty();
      Optional<Task> other;
      try {
        claimed = rows.claim(call, order, by);
        other = claimed.isPresent() ? Optional.empty() : former(call, order);
      } catch (DuplicateKeyException running) {
        other = rows.runningDecision(call, order, by);
      }
      if (claimed.isPresent()) {
        run.accept(claimed.get());
        return get(claimed.get());
      }
      if (other.isPresent()) {
        return other.get();
      }
    }
  }

  /**
   * Finds the task of an earlier call with the same idempotency key; empty for a dry run.
   *
   * @throws Refusal if that was another request
   */
  public Optional<Task> former(Call call, VerbRequest order) {
    return call.dryRun() || call.key() == null
        ? Optional.empty()
        : rows.former(call, order, caller.get()).map(continued::latest);
  }

  void progress(long id, Sentence done) {
    rows.addProgress(id, done);
    waits.changed(id);
  }

  /** Takes a place for what is no maintenance. */
  TaskQueue.Place place(String by) {
    return workers.take(by);
  }

  /** Tries something again, unless this process stops. */
  void again(Runnable work) {
    if (isRunning()) {
      leases.later(retryInterval, work);
    }
  }

  /** Announces to those who wait that a task has changed. */
  void changed(long id) {
    waits.changed(id);
  }

  /** A short verb whose task another call has taken over is rolled back, with its secret. */
  private static void requireOwn(long id, boolean ended) {
    if (!ended) {
      throw takenOver(id);
    }
  }

  /** The refusal of a call that has stalled for too long. */
  public static Refusal takenOver(long id) {
    return new Refusal(Problem.IDEMPOTENCY_KEY_IN_USE, new TaskSentences.TakenOver(id));
  }

  /**
   * Finds a task.
   *
   * @throws Refusal if there is none, or it ended a month ago
   */
  public Task get(long id) {
    return continued.latest(rows.get(id));
  }

  /**
   * Waits without a thread until the task is over or has more progress than the caller has seen.
   *
   * @throws Refusal if there is no such task, or the caller waits in too many requests
   */
  public CompletableFuture<Task> await(long id, int seen, String by, Duration timeout) {
    Task task = get(id);
    return task.hasNews(seen) || timeout.isZero()
        ? CompletableFuture.completedFuture(task)
        : waits.begin(id, seen, by, timeout);
  }

  /** The number of requests that wait. */
  public int waitCount() {
    return waits.count();
  }

  @Override
  public void start() {
    if (workers.isShutdown()) {
      workers.start();
      maintenance.start();
      waits.start();
    }
  }

  /** Lets running tasks end. */
  @Override
  public void stop() {
    maintenance.refuse();
    workers.shutdown();
    maintenance.shutdown();
    waits.stop();
  }

  @Override
  public boolean isRunning() {
    return !workers.isShutdown();
  }

  /** Stops before the connections to Redis do. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }
}
