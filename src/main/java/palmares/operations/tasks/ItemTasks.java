package palmares.operations.tasks;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/**
 * Runs verbs over many periods, each as a task with items. These are stored before a call is
 * answered, and each commits with what is done to its period, so that any scheduler goes on with
 * the task if the process dies.
 */
@Component
public class ItemTasks {
  private static final Logger LOG = LoggerFactory.getLogger(ItemTasks.class);
  private static final Runnable NOTHING = () -> {};

  private final Tasks tasks;
  private final TaskRows rows;
  private final TransactionTemplate transaction;

  /** Items are selected as of one time. */
  private final TransactionTemplate snapshot;

  private final AuditLog auditLog;
  private final CallerName caller;

  /**
   * The tasks that this process works on, or tries again, each with what follows its end: if a
   * caller asked for more meanwhile, the work of that call.
   */
  private final Map<Long, Runnable> going = new ConcurrentHashMap<>();

  ItemTasks(
      Tasks tasks,
      TaskRows rows,
      TransactionTemplate transaction,
      AuditLog auditLog,
      CallerName caller) {
    this.tasks = tasks;
    this.rows = rows;
    this.transaction = transaction;
    snapshot = new TransactionTemplate(Objects.requireNonNull(transaction.getTransactionManager()));
    snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    snapshot.setReadOnly(true);
    this.auditLog = auditLog;
    this.caller = caller;
  }

  /** The work on the items of a task. */
  @FunctionalInterface
  public interface ItemWork {
    /**
     * Works on what it can, and returns whether the task is over.
     *
     * @param goesOn is asked before each item, and says no once the server stops
     */
    boolean run(long id, BooleanSupplier goesOn);
  }

  /**
   * Begins a task, and works on it in the background. If the call is conditional, the items must be
   * what the caller was shown.
   *
   * @param items selects them; refuses if there are none
   */
  public Task begin(Call call, VerbRequest order, Supplier<TaskItems> items, ItemWork work) {
    String by = caller.get();
    return call.dryRun()
        ? tasks.unstored(call, order, by, name -> items.get().dryRun())
        : tasks.once(call, order, by, id -> begin(id, call, order, items, work));
  }

  private void begin(
      long id, Call call, VerbRequest order, Supplier<TaskItems> items, ItemWork work) {
    String by = caller.get();
    TaskQueue.Place place = tasks.place(order, id, by);
    Future<?> heartbeat = tasks.keepAlive(id);
    going.put(id, NOTHING); // before others can find it, who would work on it next to this call
    boolean isStored = false;
    try {
      TaskItems shown =
          snapshot.execute(
              status -> {
                TaskItems selected = items.get();
                Tasks.requireShown(call, order, selected.dryRun());
                return selected;
              });
      transaction.executeWithoutResult(
          status -> {
            shown.store(id);
            auditLog.append(order.entry(by));
          });
      isStored = true;
    } catch (RuntimeException e) {
      rows.refuse(id, Tasks.refusal(e));
      throw e;
    } finally {
      heartbeat.cancel(false);
      rows.running().remove(id);
      if (!isStored) {
        going.remove(id);
        place.release();
      }
    }
    place.ifQueued(ahead -> tasks.progress(id, new TaskSentences.Queued(ahead)));
    run(place, id, by, work);
  }

  /**
   * Works on a task in the background until it is over; again and again while others hold its
   * periods.
   *
   * @param by whose place in the queue it takes
   */
  public void goOn(long id, String by, ItemWork work) {
    Runnable next = going.merge(id, NOTHING, (former, asked) -> () -> goOn(id, by, work));
    if (next == NOTHING) {
      tryAgain(id, by, work);
    }
  }

  private void tryAgain(long id, String by, ItemWork work) {
    try {
      run(tasks.place(by), id, by, work);
    } catch (Refusal full) {
      tasks.again(() -> tryAgain(id, by, work));
    }
  }

  private void run(TaskQueue.Place place, long id, String by, ItemWork work) {
    place.run(
        () -> {
          if (isOver(id, work)) {
            Runnable next = Objects.requireNonNull(going.remove(id));
            if (next != NOTHING && rows.find(id).filter(task -> !task.isOver()).isPresent()) {
              next.run(); // It was resumed meanwhile.
            }
          } else {
            tasks.again(() -> tryAgain(id, by, work));
          }
        });
  }

  private boolean isOver(long id, ItemWork work) {
    try {
      return work.run(id, tasks::isRunning);
    } catch (RuntimeException e) {
      if (e instanceof Refusal refusal && refusal.problem() == Problem.UNKNOWN_OBJECT) {
        return true;
      }
      LOG.warn("a task with items stopped task={}; it is tried again", id, e);
      return false;
    } finally {
      tasks.changed(id);
    }
  }
}
