package palmares.live.relay;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.BoardChange;
import palmares.live.board.Decision;
import palmares.live.board.LiveBoardCreation;
import palmares.live.board.LiveBoards;
import palmares.live.board.Verdict;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.rules.board.Board;

/**
 * Brings committed events to their live boards, each period's in the order in which they committed.
 * Whatever was brought twice counts once, since the live board knows the ids: so a process may die
 * at any moment, and the next one goes on.
 */
@Component
public class Relay {
  /** So many batches hold whatever one group commit can bring. */
  private static final int SOME = 5;

  private static final Duration SOON = Duration.ofSeconds(1);

  private final RelayQueue queue;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final LiveBoards live;
  private final LiveBoardCreation starts;
  private final TransactionTemplate transaction;

  /** One relayer a process is enough, and takes one connection. */
  private final ReentrantLock turn = new ReentrantLock();

  Relay(
      RelayQueue queue,
      Periods periods,
      BoardDefinitions definitions,
      LiveBoards live,
      LiveBoardCreation starts,
      TransactionTemplate transaction) {
    this.queue = queue;
    this.periods = periods;
    this.definitions = definitions;
    this.live = live;
    this.starts = starts;
    this.transaction = transaction;
  }

  /** Whether the period has committed events at all. */
  public boolean serves(PeriodId period) {
    return queue.isKnown(period);
  }

  /** How many events wait to be relayed. */
  long waiting() {
    return queue.length();
  }

  /** The periods that have events to be relayed. */
  public List<PeriodId> behind() {
    return queue.behind();
  }

  /**
   * Relays all that the period has committed by now, a batch a transaction.
   *
   * @throws RelayStopped if the live board has been sealed meanwhile
   * @throws palmares.live.board.LiveBoardGone if Redis has lost the live board
   * @throws palmares.platform.redis.RedisUnavailable if Redis does not answer
   */
  public void relay(PeriodId id) {
    if (!queue.isBehind(id)) {
      return;
    }
    turn.lock();
    try {
      Period period = periods.get(id);
      while (queue.isBehind(id)) {
        bringOrStart(period, () -> queue.lockSoon(id));
      }
    } finally {
      turn.unlock();
    }
  }

  /**
   * Relays the next events of the period, unless somebody else is long about it: for those who have
   * committed just now, and are told 'accepted' rather than kept waiting behind a long queue.
   *
   * @return false if somebody else is
   */
  boolean relaySome(PeriodId id) {
    if (!queue.isBehind(id)) {
      return true;
    }
    if (!takeTurnSoon()) {
      return false;
    }
    try {
      Period period = periods.get(id);
      for (int batches = 0; batches < SOME && queue.isBehind(id); batches++) {
        bringOrStart(period, () -> queue.lockSoon(id));
      }
      return true;
    } finally {
      turn.unlock();
    }
  }

  private boolean takeTurnSoon() {
    try {
      return turn.tryLock(SOON.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Relays the rest in the transaction of the seal, which has locked the period's row, so that
   * nothing more can be committed. What Redis remembers of a seal that never committed is lifted.
   *
   * @throws RelayStopped if the live board takes nothing; it is not made here, since what makes it
   *     must be committed first
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void finish(Period period) {
    if (queue.isBehind(period.id())) {
      live.unseal(period);
    }
    while (queue.isBehind(period.id())) {
      bring(period, () -> queue.lock(period.id())).ifPresent(stop -> stop(period, stop));
    }
  }

  /**
   * Lets the relay bring everything again that the journal in PostgreSQL does not have. Call it
   * once a live board has been made again from its journal, then {@link #relay}: no committed event
   * is missing after that. Where Redis has lost nothing, it finds repeats and changes nothing.
   */
  @Transactional
  public void again(PeriodId period) {
    queue.lock(period);
    queue.again(period);
  }

  /** Brings one batch, or makes the live board that it is for. */
  private void bringOrStart(Period period, Runnable lock) {
    bring(period, lock)
        .filter(stop -> stop != Verdict.MISSING || !starts.start(period, definitions.of(period)))
        .ifPresent(stop -> stop(period, stop));
  }

  /**
   * Brings all that waits to a live board that is halted, for the process that has halted it.
   *
   * @param board decides changes in their order
   */
  public void bring(Period period, Function<List<BoardChange>, List<Decision>> board) {
    while (queue.isBehind(period.id())) {
      bring(period, () -> queue.lock(period.id()), board).ifPresent(stop -> stop(period, stop));
    }
  }

  private static void stop(Period period, Verdict verdict) {
    throw new RelayStopped(period, verdict);
  }

  /** Brings one batch; answers what stopped it, if anything did. */
  private Optional<Verdict> bring(Period period, Runnable lock) {
    return bring(period, lock, live::apply);
  }

  private Optional<Verdict> bring(
      Period period, Runnable lock, Function<List<BoardChange>, List<Decision>> board) {
    Board rules = definitions.of(period);
    return Objects.requireNonNull(
        transaction.execute(
            status -> {
              lock.run();
              return batch(period, rules, board);
            }));
  }

  private Optional<Verdict> batch(
      Period period, Board rules, Function<List<BoardChange>, List<Decision>> board) {
    RelayQueue.Batch batch = queue.next(period, rules);
    List<Decision> decisions =
        batch.events().isEmpty()
            ? List.of()
            : board.apply(batch.events().stream().map(RelayQueue.Waiting::change).toList());
    int decided = 0;
    while (decided < decisions.size() && isFinal(decisions.get(decided).verdict())) {
      decided++;
    }
    queue.settle(period, batch, decisions.subList(0, decided));
    return decisions.stream().skip(decided).findFirst().map(Decision::verdict);
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
          BACKLOG,
          WAITING,
          FORGOTTEN,
          OUT_OF_STEP ->
          false;
    };
  }
}
