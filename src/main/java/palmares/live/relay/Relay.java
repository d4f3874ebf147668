package palmares.live.relay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.BoardChange;
import palmares.live.board.Decision;
import palmares.live.board.LiveBoardCreation;
import palmares.live.board.LiveBoards;
import palmares.live.board.LiveJournal;
import palmares.live.board.LiveJournal.BoardProgress;
import palmares.live.board.Verdict;
import palmares.live.relay.RelayQueue.Batch;
import palmares.live.relay.RelayQueue.EventsGone;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.redis.RedisClient.Answers;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;

/**
 * Relays committed events to their live boards, each period's in the order of their numbers. An
 * event that is relayed twice counts once, because the live board knows its id. So a process may
 * die at any moment, and another continues.
 */
@Component
public class Relay {
  /** Enough for the events of one group commit. */
  private static final int MAX_BATCHES_PER_CALL = 5;

  private static final Duration MAX_WAIT_FOR_OTHER_THREAD = Duration.ofSeconds(1);

  private final RelayQueue queue;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final LiveBoards live;
  private final LiveJournal journal;
  private final LiveBoardCreation creation;
  private final TransactionTemplate transaction;

  /** Only one thread of a process relays, so that relaying takes one database connection. */
  private final ReentrantLock relayLock = new ReentrantLock();

  Relay(
      RelayQueue queue,
      Periods periods,
      BoardDefinitions definitions,
      LiveBoards live,
      LiveJournal journal,
      LiveBoardCreation creation,
      TransactionTemplate transaction) {
    this.queue = queue;
    this.periods = periods;
    this.definitions = definitions;
    this.live = live;
    this.journal = journal;
    this.creation = creation;
    this.transaction = transaction;
  }

  /** Whether the period has committed events, relayed or not. */
  public boolean hasEvents(PeriodId period) {
    return queue.isKnown(period);
  }

  /** Counts the events of all periods that are not relayed yet. */
  long backlog() {
    return queue.length();
  }

  /**
   * Calls with each period that has events which are not relayed yet, and whose live board Redis
   * reaches.
   *
   * @throws RedisUnavailable after the calls, if it did not reach all
   */
  void forEachBehind(Consumer<PeriodId> work) {
    List<Period> behind = periods.find(queue.periodsBehind());
    Answers<BoardProgress> reached = journal.reach(behind);
    for (int i = 0; i < behind.size(); i++) {
      if (reached.each().get(i).isPresent()) {
        work.accept(behind.get(i).id());
      }
    }
    reached.requireAll();
  }

  /**
   * Relays all events that the period has committed by now, one batch per transaction. Must not be
   * called in a transaction, whose commit would not wait for the disk either.
   *
   * @throws RelayStopped if the live board was sealed meanwhile
   * @throws palmares.live.board.LiveBoardGone if Redis has lost the live board
   * @throws palmares.platform.redis.RedisUnavailable if Redis does not answer
   */
  @Transactional(propagation = Propagation.NEVER)
  public void relay(PeriodId id) {
    if (!queue.isBehind(id)) {
      return;
    }
    relayLock.lock();
    try {
      Period period = periods.get(id);
      while (relayBatchOrCreateBoard(period, List.of())) {}
    } finally {
      relayLock.unlock();
    }
  }

  /**
   * Relays the next events of the period, a limited number. For callers that have just committed:
   * their events are accepted rather than delayed by a long backlog. Must not be called in a
   * transaction, as {@link #relay}.
   *
   * <p>What they committed is not read again if it follows what is relayed: its numbers ascend
   * without a gap, so no other event is before it. The decisions are stored only if PostgreSQL has
   * the same events under the same numbers.
   *
   * @param fresh what they have committed, in the order of numbers; may lack some or all
   * @return false if another thread of this process relays for longer than a second
   */
  @Transactional(propagation = Propagation.NEVER)
  boolean relayNext(PeriodId id, List<FreshEvent> fresh) {
    if (!tryRelayLock()) {
      return false;
    }
    try {
      Period period = periods.get(id);
      List<FreshEvent> known = fresh;
      boolean isMore = true;
      for (int i = 0; i < MAX_BATCHES_PER_CALL && isMore; i++) {
        try {
          isMore = relayBatchOrCreateBoard(period, known);
        } catch (EventsGone e) {
          if (known.isEmpty()) {
            throw e;
          }
          known = List.of(); // Another server may have committed others under their numbers.
        }
      }
      return true;
    } finally {
      relayLock.unlock();
    }
  }

  private boolean tryRelayLock() {
    try {
      return relayLock.tryLock(MAX_WAIT_FOR_OTHER_THREAD.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Relays the remaining events in the transaction of the seal, which has locked the period's row,
   * so that no more events can be committed. Unseals a live board whose seal was never committed.
   *
   * @throws RelayStopped if the live board takes no events. A missing board is not created here,
   *     because its creation needs a commit of its mark first
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void finish(Period period) {
    if (!queue.isBehind(period.id())) {
      return;
    }
    live.unseal(period);
    relayTo(period, live::apply);
  }

  /**
   * Marks the events that the journal in PostgreSQL lacks as not relayed. Call it after a live
   * board was rebuilt from its journal, then {@link #relay}: no committed event is missing then.
   * Events that Redis has not lost are repeats, which change nothing.
   */
  @Transactional
  public void markMissing(PeriodId period) {
    queue.lock(period);
    queue.markMissing(period);
  }

  /**
   * Relays one batch, or creates the live board if it is missing.
   *
   * @return whether there is more to relay
   */
  private boolean relayBatchOrCreateBoard(Period period, List<FreshEvent> fresh) {
    Relayed relayed = relayBatch(period, fresh, queue::lockBriefly, live::apply);
    if (relayed.refusal() == Verdict.MISSING && creation.start(period, definitions.of(period))) {
      return true;
    }
    return relayed.isMore(period);
  }

  /**
   * Relays all events of the period to a live board that the caller has halted.
   *
   * @param board decides changes in their order
   */
  public void relayTo(Period period, Function<List<BoardChange>, List<Decision>> board) {
    while (relayBatch(period, List.of(), queue::lock, board).isMore(period)) {}
  }

  /**
   * What became of a batch.
   *
   * @param decisions those that are stored, on its first events
   * @param refusal the verdict on the first event that its live board did not take; null if none
   */
  private record Relayed(Batch batch, List<Decision> decisions, @Nullable Verdict refusal) {
    /** Notes the decisions on fresh events, once they are committed. */
    void note() {
      for (int i = 0; i < decisions.size(); i++) {
        FreshEvent fresh = batch.events().get(i).fresh();
        if (fresh != null) {
          fresh.decide(decisions.get(i));
        }
      }
    }

    boolean isMore(Period period) {
      if (refusal != null) {
        throw new RelayStopped(period, refusal);
      }
      return !batch.isLast();
    }
  }

  private Relayed relayBatch(
      Period period,
      List<FreshEvent> fresh,
      Consumer<PeriodId> lock,
      Function<List<BoardChange>, List<Decision>> board) {
    Board rules = definitions.of(period);
    Relayed relayed =
        transaction.execute(
            status -> {
              lock.accept(period.id());
              return relayLocked(period, queue.next(period, rules, fresh), board);
            });
    relayed.note();
    return relayed;
  }

  private Relayed relayLocked(
      Period period, Batch batch, Function<List<BoardChange>, List<Decision>> board) {
    List<Decision> decisions =
        batch.events().isEmpty()
            ? List.of()
            : board.apply(
                batch.events().stream().map(CommittedEventRows.Unrelayed::change).toList());
    int decided = 0;
    while (decided < decisions.size() && isFinal(decisions.get(decided).verdict())) {
      decided++;
    }
    List<Decision> stored = decisions.subList(0, decided);
    queue.store(period, batch, stored);
    return new Relayed(
        batch, stored, decided < decisions.size() ? decisions.get(decided).verdict() : null);
  }

  private static boolean isFinal(Verdict verdict) {
    return switch (verdict) {
      case APPLIED,
          UNDONE,
          REPEATED,
          NOTHING_TO_UNDO,
          UNCHANGED,
          CAPPED,
          DUPLICATE,
          CONFLICT,
          FULL,
          FULL_THEN,
          FULL_SUM,
          EXHAUSTED ->
          true;
      case DISCARDED,
          ACCEPTED,
          LATE,
          OUTSIDE,
          MISSING,
          REBUILDING,
          TORN,
          GAP,
          BACKLOG,
          WAITING,
          FORGOTTEN,
          OUT_OF_STEP ->
          false;
    };
  }

  /** Reports that a live board does not take a committed event; the period cannot be sealed yet. */
  public static final class RelayStopped extends RuntimeException {
    RelayStopped(Period period, Verdict verdict) {
      super(
          "%s has committed events that its live board does not take: it answers '%s'"
              .formatted(period.label(), verdict.word()));
    }
  }
}
