package palmares.operations.batches;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.CannotCreateTransactionException;
import palmares.operations.amendment.Amendment;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.batches.Batch.Item;
import palmares.operations.batches.Batch.State;
import palmares.operations.batches.BatchRows.RecordedByAnother;
import palmares.operations.tasks.TaskLeases;
import palmares.operations.tasks.TaskRows;
import palmares.operations.tasks.Tasks;
import palmares.period.Lease;
import palmares.period.Leases.StaleLease;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Saying;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/**
 * Works on the periods of batches, one at a time. A process that dies loses nothing: an amendment
 * and a posting commit together with the state of their item, and a closing that is repeated
 * changes nothing. If a period fails or is held by another process, the later ones of its board
 * wait.
 */
@Component
public class BatchRunner {
  private static final Logger LOG = LoggerFactory.getLogger(BatchRunner.class);

  /** Reasons that concern one period only: the batch goes on with the others of its board. */
  private static final Set<Problem> REFUSED = Set.of(Problem.WRONG_STATE, Problem.SAME_PERSON);

  private final BatchRows rows;
  private final TaskRows tasks;
  private final TaskLeases leases;
  private final Amendments amendments;
  private final Approvals approvals;
  private final Closings closings;
  private final Periods periods;
  private final Revisions revisions;

  BatchRunner(
      BatchRows rows,
      TaskRows tasks,
      TaskLeases leases,
      Amendments amendments,
      Approvals approvals,
      Closings closings,
      Periods periods,
      Revisions revisions) {
    this.rows = rows;
    this.tasks = tasks;
    this.leases = leases;
    this.amendments = amendments;
    this.approvals = approvals;
    this.closings = closings;
    this.periods = periods;
    this.revisions = revisions;
  }

  /** Continues, in each scheduler, the batches that nobody works on. */
  @Component
  static class BatchLoop extends BackgroundLoop {
    BatchLoop(
        Loops loops,
        @Value("${spring.quartz.auto-startup:false}") boolean scheduler,
        BatchRunner runner) {
      super(loops, "batches", scheduler, runner::runWaiting);
    }

    @Override
    protected boolean mayTakeLong() {
      return true;
    }
  }

  private void runWaiting(BooleanSupplier goesOn) {
    for (long batch : leases.waiting()) {
      run(batch, goesOn);
    }
  }

  /**
   * Works on all pending periods of a batch.
   *
   * @param goesOn is asked before each period; if not, the batch stops, and can be resumed
   * @return the batch as it is afterwards; empty if another runner works on it, or has taken it
   */
  public Optional<Batch> run(long id, Predicate<Item> goesOn) {
    String runner = Lease.THIS_PROCESS + " " + UUID.randomUUID();
    Optional<Integer> resumed = leases.take(id, runner);
    if (resumed.isEmpty()) {
      return Optional.empty();
    }
    boolean ended = false;
    boolean own;
    Future<?> kept = leases.keepAlive(id, runner);
    try {
      ended = work(rows.get(id), runner, goesOn);
    } finally {
      kept.cancel(false);
      own = leases.release(id, runner, resumed.get(), ended ? rows.get(id).outcome() : null);
    }
    if (!own) {
      return Optional.empty();
    }
    Batch batch = rows.get(id);
    LOG.info(
        "batch {} {} {}: {}",
        id,
        batch.verb().word(),
        ended ? "ended" : "stopped",
        Texts.english(batch.counts().said()));
    return Optional.of(batch);
  }

  /**
   * Works on a batch as far as others let it, and returns whether it is over.
   *
   * @param goesOn is asked before each period; if not, others go on with the batch
   */
  public boolean run(long id, BooleanSupplier goesOn) {
    run(id, item -> goesOn.getAsBoolean());
    return rows.get(id).endedAt() != null;
  }

  /** Returns whether every period was tried, or waits for a failed one of its board. */
  private boolean work(Batch batch, String runner, Predicate<Item> goesOn) {
    var waiting = new HashSet<String>();
    var approved = new Approved(batch);
    boolean[] busy = {false};
    LongConsumer tried =
        Tasks.everyTenSeconds(
            n -> tasks.addProgress(batch.id(), new BatchSentences.Tried(n, batch.counts().all())));
    int after = 0;
    List<Item> page;
    do {
      page = rows.items(batch.id(), State.PENDING, after, BatchRows.ITEMS_PER_PAGE);
      for (Item item : page) {
        after = item.n();
        if (!waiting.contains(item.board())) {
          if (!goesOn.test(item)) {
            return false;
          }
          if (!leases.keep(batch.id(), runner)) {
            return true;
          }
          if (!tasks.mayAct(batch.id(), batch.verb().role())) {
            rows.stop(batch.id(), new BatchSentences.MayNotGoOn(batch.by()));
            return true;
          }
          work(batch, item, approved, waiting, busy);
          tried.accept(item.n());
        }
      }
    } while (page.size() == BatchRows.ITEMS_PER_PAGE);
    return !busy[0];
  }

  private void work(
      Batch batch, Item item, Approved approved, Set<String> waiting, boolean[] busy) {
    try {
      act(batch, item, approved);
    } catch (RecordedByAnother done) {
      LOG.info("batch {} has another runner: {}", batch.id(), done.getMessage());
    } catch (PeriodBusy | StaleLease held) {
      busy[0] = true;
      waiting.add(item.board());
    } catch (CannotCreateTransactionException
        | TransientDataAccessException
        | NonTransientDataAccessResourceException
        | RedisUnavailable outage) {
      throw outage; // Says nothing about the period: the batch goes on later.
    } catch (RuntimeException failed) {
      recordFailure(batch, item, failed, waiting);
    }
  }

  private void recordFailure(Batch batch, Item item, RuntimeException failed, Set<String> waiting) {
    boolean refused = failed instanceof Refusal refusal && REFUSED.contains(refusal.problem());
    Sentence why = Refusal.said(failed);
    try {
      rows.record(batch.id(), item, refused ? State.REFUSED : State.FAILED, null, why);
    } catch (RecordedByAnother done) {
      return; // It has failed because another runner had worked on it.
    }
    if (!refused) {
      LOG.warn("batch {} failed at {}", batch.id(), item.label(), failed);
      waiting.add(item.board());
    }
  }

  private void act(Batch batch, Item item, Approved approved) {
    switch (batch.verb()) {
      case AMEND -> amend(batch, item);
      case APPROVE -> {
        approve(batch, item, approved.before(item));
        approved.add(item);
      }
      case REJECT -> reject(batch, item);
      case CLOSE -> close(batch, item);
      case RESTART -> restart(batch, item);
    }
  }

  /** An earlier batch may have prepared a revision that has all exclusions of this one, too. */
  private void amend(Batch batch, Item item) {
    Optional<Revision> undecided =
        amendments
            .undecided(periods.get(item.period()))
            .filter(revision -> rows.hasExclusionsOf(batch, revision));
    if (undecided.isPresent()) {
      rows.record(
          batch.id(),
          item,
          State.UNCHANGED,
          null,
          new BatchSentences.AlreadyPrepared(undecided.get().number()));
      return;
    }
    var request = new AmendmentRequest(batch.by(), batch.reason(), null, Map.of());
    amendments.prepare(item.period(), request, prepared -> record(batch, item, prepared));
  }

  private void record(Batch batch, Item item, Optional<Amendment> prepared) {
    if (prepared.isEmpty()) {
      rows.record(batch.id(), item, State.UNCHANGED, null, null);
      return;
    }
    Revision revision = prepared.get().revision();
    Sentence heldFor =
        revision.heldFor().isEmpty() ? null : new BatchSentences.Reasons(revision.heldFor());
    rows.record(batch.id(), item, State.DONE, revision.number(), heldFor);
    rows.recordSums(batch.id(), item, prepared.get().differences().sums());
  }

  /**
   * The outcomes that a batch has approved and posted as the person was shown them. Of one that was
   * shown as another, such as a closing that was restarted since, the person knows no sum.
   */
  private final class Approved {
    private final Batch batch;
    private final Map<String, Set<Integer>> outcomes = new HashMap<>();

    Approved(Batch batch) {
      this.batch = batch;
    }

    /** Returns those of the item's board, if all who approve the item were shown them with it. */
    Set<Integer> before(Item item) {
      Set<Integer> others = outcomes.computeIfAbsent(item.board(), this::read);
      return others.isEmpty() || rows.wasShownToAll(batch, item) ? others : Set.of();
    }

    private Set<Integer> read(String board) {
      var found = new HashSet<Integer>();
      rows.eachPage(
          batch.id(),
          State.DONE,
          page ->
              found.addAll(
                  posted(page.stream().filter(item -> item.board().equals(board)).toList())));
      return found;
    }

    void add(Item item) {
      outcomes.computeIfAbsent(item.board(), this::read).addAll(posted(List.of(item)));
    }

    private Set<Integer> posted(List<Item> items) {
      Map<PeriodId, Item> byPeriod =
          items.stream().collect(Collectors.toMap(Item::period, item -> item));
      return revisions.all(byPeriod.keySet()).stream()
          .filter(revision -> revision.postedAt() != null)
          .filter(
              revision -> {
                Item item = Objects.requireNonNull(byPeriod.get(revision.period()));
                return Objects.equals(item.revision(), revision.number())
                    && revision.digest().equals(item.digest());
              })
          .map(Revision::id)
          .collect(Collectors.toSet());
    }
  }

  private void approve(Batch batch, Item item, Set<Integer> before) {
    if (isClosing(item)) {
      approveClosing(batch, item, before);
      return;
    }
    amendments.approve(
        item.period(),
        new Amendments.Decision(item.revision(), item.digest(), batch.by(), batch.reason(), before),
        approved ->
            rows.record(
                batch.id(),
                item,
                approved.transfers() == null ? State.HELD : State.DONE,
                null,
                approved.transfers() == null
                    ? new BatchSentences.Reasons(approved.heldFor())
                    : null));
  }

  private static boolean isClosing(Item item) {
    return item.revision() != null && item.revision() == Revision.FIRST;
  }

  /** If it is approved already, an earlier runner died before it was paid. */
  private void approveClosing(Batch batch, Item item, Set<Integer> before) {
    if (periods.get(item.period()).state() == PeriodState.HELD) {
      List<Sentence> reasons =
          approvals.approve(
              item.period(),
              new ApprovalDecision(batch.by(), batch.reason(), null, item.digest(), before, false));
      if (!reasons.isEmpty()) {
        rows.record(batch.id(), item, State.HELD, null, new BatchSentences.Reasons(reasons));
        return;
      }
    }
    close(batch, item);
  }

  private void reject(Batch batch, Item item) {
    if (!isClosing(item)) {
      amendments.reject(
          item.period(),
          new Amendments.Decision(item.revision(), item.digest(), batch.by(), batch.reason()),
          () -> rows.record(batch.id(), item, State.DONE, null, null));
      return;
    }
    if (periods.get(item.period()).state() != PeriodState.REJECTED) {
      approvals.reject(
          item.period(), new ApprovalDecision(batch.by(), batch.reason(), null, item.digest()));
    }
    rows.record(batch.id(), item, State.DONE, null, null);
  }

  /** A period that is held after its restart was restarted by an earlier runner. */
  private void restart(Batch batch, Item item) {
    Period period = periods.get(item.period());
    if (period.state() != PeriodState.HELD && !period.state().isSettled()) {
      approvals.restart(
          item.period(), new ApprovalDecision(batch.by(), batch.reason(), null, null));
    }
    close(batch, item);
  }

  private void close(Batch batch, Item item) {
    // Nobody has checked each period.
    var cause = new ClosingCause("batch " + batch.id(), batch.by());
    ClosingResult closed = closings.close(item.period(), cause, step -> {});
    switch (closed.outcome()) {
      case SETTLED, ALREADY_SETTLED -> record(batch, item, State.DONE, null);
      case HELD -> record(batch, item, State.HELD, closed.detail());
      case FAILED -> throw new ClosingFailed(Objects.requireNonNull(closed.detail()));
      case BUSY, LOST -> throw new PeriodBusy(closed.period());
    }
  }

  private void record(Batch batch, Item item, State state, @Nullable Sentence message) {
    rows.record(batch.id(), item, state, Revision.FIRST, message);
  }

  /** Reports that a closing has failed, which its own run has recorded. */
  private static final class ClosingFailed extends RuntimeException implements Saying {
    private final transient Sentence said;

    ClosingFailed(Sentence said) {
      super(Texts.english(said));
      this.said = said;
    }

    @Override
    public Sentence said() {
      return said;
    }
  }
}
