package palmares.operations.rebuild;

import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.journal.JournalGap;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.period.WrongState;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;

/**
 * Rebuilds live boards, equal to the last bit. It halts the board, drains its journal, resets it
 * and replays every event. If the process dies, the board stays halted, and the next rebuild starts
 * from the beginning. Committed events that the journal lacks are relayed afterwards.
 */
@Component
public class Rebuild {
  private final Leases leases;
  private final Periods periods;
  private final BoardHalt boardHalt;
  private final Replay replay;
  private final BoardReopening boardReopening;
  private final LostCommits lostCommits;

  Rebuild(
      Leases leases,
      Periods periods,
      BoardHalt boardHalt,
      Replay replay,
      BoardReopening boardReopening,
      LostCommits lostCommits) {
    this.leases = leases;
    this.periods = periods;
    this.boardHalt = boardHalt;
    this.replay = replay;
    this.boardReopening = boardReopening;
    this.lostCommits = lostCommits;
  }

  /**
   * A rebuilt live board. Strays are events that only Redis had.
   *
   * @param state the period's state: open or sealed
   * @param events the number of events of the journal that were replayed
   * @param strays the number of strays that were applied
   * @param refused strays that the board refuses now
   * @param wasLost whether there was no live board before
   * @param givenUp the events that were given up; null if none were
   */
  public record RebuildResult(
      PeriodState state,
      long events,
      long strays,
      List<Sentence> refused,
      boolean wasLost,
      @Nullable GivenUp givenUp) {
    public RebuildResult {
      refused = List.copyOf(refused);
    }
  }

  /** Says what to do if the live board exists. */
  public enum Present {
    REFUSE,
    REPLACE
  }

  /**
   * Checks that a rebuild is possible and wanted, as the period and its board are now.
   *
   * @throws WrongState if the board is not needed, is adopted, or exists
   */
  public void requireRebuildable(Period period, Present present) {
    boardHalt.requireRebuildable(period, present);
  }

  /**
   * Whether a rebuild replays events. If not, it only lets a period go on whose closing PostgreSQL
   * has forgotten.
   */
  public boolean replays(Period period) {
    return boardHalt.replays(period);
  }

  /**
   * Rebuilds the period's live board, if a condition holds.
   *
   * @param acknowledged lets events be given up that are in neither store, and a sealed period
   *     close with less than was sealed; null if they may not
   * @param condition runs in the transaction that takes the lease, and throws if it does not hold
   * @param watcher receives the number of events replayed so far
   * @return empty if another process has the period's lease
   * @throws WrongState if the board is not needed, is adopted, or exists
   * @throws JournalGap if events would be lost that nobody has given up
   * @throws Refusal if an event has another result than before, or if a sealed period would close
   *     with less than was sealed
   */
  public Optional<RebuildResult> run(
      PeriodId id,
      Present present,
      @Nullable Acknowledgement acknowledged,
      Runnable condition,
      LongConsumer watcher) {
    return run(id, condition, new Manner(present, acknowledged, watcher));
  }

  private Optional<RebuildResult> run(PeriodId id, Runnable condition, Manner manner) {
    Optional<Lease> lease = leases.take(id, Lease.THIS_PROCESS, condition);
    if (lease.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(run(lease.get(), manner));
    } finally {
      leases.release(lease.get());
    }
  }

  /** Says how to rebuild, and what runs meanwhile. */
  private record Manner(
      Present present, @Nullable Acknowledgement acknowledged, LongConsumer watcher) {}

  private RebuildResult run(Lease lease, Manner manner) {
    Period period = periods.get(lease.period());
    boardHalt.requireRebuildable(period, manner.present());
    if (!boardHalt.replays(period)) {
      boardReopening.goOn(period, lease, manner.acknowledged());
      return new RebuildResult(period.state(), 0, 0, List.of(), false, null);
    }
    BoardHalt.Halt halt = boardHalt.halt(period, lease, manner.acknowledged());
    Replay.Strays strays = replay.run(period, lease, halt.events(), manner.watcher());
    lostCommits.requeue(period, lease);
    GivenUp givenUp =
        boardReopening.end(period, lease, halt, strays.decided(), manner.acknowledged());
    lostCommits.relay(period);
    return new RebuildResult(
        BoardReopening.stateAfter(period),
        halt.events(),
        strays.decided(),
        strays.refused(),
        halt.lost(),
        givenUp);
  }

  /**
   * A person's consent to give up events that are in neither store.
   *
   * @param by the person's name; not blank
   * @param reason in the person's own words; not blank
   */
  public record Acknowledgement(String by, String reason) {}
}
