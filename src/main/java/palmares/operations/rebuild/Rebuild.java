package palmares.operations.rebuild;

import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.journal.JournalGap;
import palmares.period.Lease;
import palmares.period.LeaseOwner;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Periods;

/**
 * Makes live boards anew, equal to the last bit. A board is halted, its journal drained, all of it
 * dropped, and every event decided again; killed on the way, it stays halted, and the next rebuild
 * begins anew. What was committed and is not in the journal is relayed after that.
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
   * A live board that was made anew.
   *
   * @param state the period's: open, or sealed
   * @param events how many of the journal it was made from
   * @param strays how many events only Redis had, and were decided anew
   * @param ignored how many events only Redis had that had no effect, and were left out
   * @param refused the ids of events that only Redis had, and that the board refuses behind what
   *     PostgreSQL has, each with the reason
   * @param wasLost whether there was no live board before
   */
  public record RebuildResult(
      PeriodState state,
      long events,
      long strays,
      long ignored,
      List<String> refused,
      boolean wasLost) {
    public RebuildResult {
      refused = List.copyOf(refused);
    }
  }

  /** What to do with a live board that is there. */
  public enum Present {
    REFUSE,
    REPLACE
  }

  /**
   * Makes the period's live board anew.
   *
   * @param watcher is told how many events are done
   * @return empty if another process has the period's lease
   * @throws RebuildRefused if there is nothing to make anew
   * @throws JournalGap if Redis holds events that would be lost
   * @throws ReplayDiffers if an event does not come out as it did
   * @throws LossRefused if a sealed period would close with less than was sealed
   */
  public Optional<RebuildResult> run(PeriodId id, Present present, LongConsumer watcher) {
    return run(id, present, null, watcher);
  }

  /**
   * As {@link #run(PeriodId, Present, LongConsumer)}.
   *
   * @param acknowledged lets a sealed period close with less than was sealed; null if it may not
   */
  public Optional<RebuildResult> run(
      PeriodId id, Present present, @Nullable Acknowledgement acknowledged, LongConsumer watcher) {
    Optional<Lease> lease = leases.take(id, LeaseOwner.NAME);
    if (lease.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(run(lease.get(), present, acknowledged, watcher));
    } finally {
      leases.release(lease.get());
    }
  }

  private RebuildResult run(
      Lease lease, Present present, @Nullable Acknowledgement acknowledged, LongConsumer watcher) {
    Period period = periods.get(lease.period());
    boardHalt.requireUse(period, present);
    BoardHalt.Halt halt = boardHalt.halt(period, lease, acknowledged);
    Replay.Strays strays = replay.run(period, lease, halt.events(), watcher);
    lostCommits.await(period, lease);
    boardReopening.end(period, lease, halt.events(), strays.decided(), acknowledged);
    lostCommits.relay(period);
    return new RebuildResult(
        BoardReopening.stateAfter(period),
        halt.events(),
        strays.decided(),
        strays.ignored(),
        strays.refused(),
        halt.lost());
  }
}
