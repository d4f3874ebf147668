package palmares.operations.batches;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
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
import palmares.period.Leases.StaleLease;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.platform.Refusal;
import palmares.platform.Refusal.Reason;
import palmares.platform.form.Choice;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;
import palmares.settlement.outcome.Revision;

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
  private static final Set<Choice> REFUSED = Set.of(Reason.WRONG_STATE, Reason.SAME_PERSON);

  private final BatchRows rows;
  private final Amendments amendments;
  private final Approvals approvals;
  private final Closings closings;
  private final Periods periods;

  BatchRunner(
      BatchRows rows,
      Amendments amendments,
      Approvals approvals,
      Closings closings,
      Periods periods) {
    this.rows = rows;
    this.amendments = amendments;
    this.approvals = approvals;
    this.closings = closings;
    this.periods = periods;
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
  }

  private void runWaiting(BooleanSupplier goesOn) {
    for (long batch : rows.waiting()) {
      run(batch, item -> goesOn.getAsBoolean());
    }
  }

  /** Is asked before each period whether to go on. */
  public interface Listener {
    /** Returns false to stop; the batch can be resumed. */
    boolean next(Item item);
  }

  /**
   * Works on all pending periods of a batch.
   *
   * @return the batch as it is afterwards; empty if another process works on it
   */
  public Optional<Batch> run(long id, Listener listener) {
    if (!rows.take(id)) {
      return Optional.empty();
    }
    boolean ended = false;
    try {
      ended = work(rows.get(id), listener);
    } finally {
      rows.release(id, ended);
    }
    Batch batch = rows.get(id);
    LOG.info(
        "batch {} {} {}: {}", id, batch.verb().word(), ended ? "ended" : "stopped", batch.counts());
    return Optional.of(batch);
  }

  /** Returns whether every period was tried, or waits for a failed one of its board. */
  private boolean work(Batch batch, Listener listener) {
    var waiting = new HashSet<String>();
    boolean[] busy = {false};
    int after = 0;
    List<Item> page;
    do {
      page = rows.items(batch.id(), State.PENDING, after, BatchRows.ITEMS_PER_PAGE);
      for (Item item : page) {
        after = item.n();
        if (!waiting.contains(item.board())) {
          if (!listener.next(item)) {
            return false;
          }
          if (!rows.keep(batch.id())) {
            return true;
          }
          if (!rows.mayAct(batch)) {
            rows.stop(batch.id(), batch.by() + " may not do this any more");
            return true;
          }
          work(batch, item, waiting, busy);
        }
      }
    } while (page.size() == BatchRows.ITEMS_PER_PAGE);
    return !busy[0];
  }

  private void work(Batch batch, Item item, Set<String> waiting, boolean[] busy) {
    try {
      act(batch, item);
    } catch (PeriodBusy | StaleLease held) {
      busy[0] = true;
      waiting.add(item.board());
    } catch (CannotCreateTransactionException
        | TransientDataAccessException
        | NonTransientDataAccessResourceException
        | RedisUnavailable outage) {
      throw outage; // Says nothing about the period: the batch goes on later.
    } catch (RuntimeException failed) {
      if (failed instanceof Refusal refused && REFUSED.contains(refused.reason())) {
        rows.record(batch.id(), item, State.REFUSED, null, refused.detail());
        return;
      }
      LOG.warn("batch {} failed at {}", batch.id(), item.label(), failed);
      rows.record(batch.id(), item, State.FAILED, null, String.valueOf(failed.getMessage()));
      waiting.add(item.board());
    }
  }

  private void act(Batch batch, Item item) {
    switch (batch.verb()) {
      case AMEND -> amend(batch, item);
      case APPROVE -> approve(batch, item);
      case REJECT -> reject(batch, item);
      case CLOSE -> close(batch, item);
      case RESTART -> restart(batch, item);
    }
  }

  private void amend(Batch batch, Item item) {
    var request = new AmendmentRequest(batch.by(), batch.reason(), null, Map.of());
    amendments.prepare(item.period(), request, prepared -> record(batch, item, prepared));
  }

  private void record(Batch batch, Item item, Optional<Amendment> prepared) {
    if (prepared.isEmpty()) {
      rows.record(batch.id(), item, State.UNCHANGED, null, null);
      return;
    }
    Revision revision = prepared.get().revision();
    String heldFor = revision.heldFor().isEmpty() ? null : String.join("; ", revision.heldFor());
    rows.record(batch.id(), item, State.DONE, revision.number(), heldFor);
    rows.recordSums(batch.id(), item, prepared.get().differences().sums());
  }

  private void approve(Batch batch, Item item) {
    if (isClosing(item)) {
      approveClosing(batch, item);
      return;
    }
    amendments.approve(
        item.period(),
        decision(batch, item),
        approved ->
            rows.record(
                batch.id(),
                item,
                approved.transfers() == null ? State.HELD : State.DONE,
                null,
                approved.transfers() == null ? String.join("; ", approved.heldFor()) : null));
  }

  private static boolean isClosing(Item item) {
    return item.revision() != null && item.revision() == Revision.FIRST;
  }

  private static Amendments.Decision decision(Batch batch, Item item) {
    return new Amendments.Decision(item.revision(), item.digest(), batch.by(), batch.reason());
  }

  /** If it is approved already, an earlier runner died before it was paid. */
  private void approveClosing(Batch batch, Item item) {
    if (periods.get(item.period()).state() == PeriodState.HELD) {
      List<String> reasons =
          approvals.approve(
              item.period(), new ApprovalDecision(batch.by(), batch.reason(), null, item.digest()));
      if (!reasons.isEmpty()) {
        rows.record(batch.id(), item, State.HELD, null, String.join("; ", reasons));
        return;
      }
    }
    close(batch, item);
  }

  private void reject(Batch batch, Item item) {
    if (!isClosing(item)) {
      amendments.reject(
          item.period(),
          decision(batch, item),
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
      case FAILED -> throw new ClosingFailed(String.valueOf(closed.detail()));
      case BUSY, LOST -> throw new PeriodBusy(closed.period());
    }
  }

  private void record(Batch batch, Item item, State state, @Nullable String message) {
    rows.record(batch.id(), item, state, Revision.FIRST, message);
  }

  /** Reports that a closing has failed, which its own run has recorded. */
  private static final class ClosingFailed extends RuntimeException {
    ClosingFailed(String message) {
      super(message);
    }
  }
}
