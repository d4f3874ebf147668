package palmares.rebuild;

import java.util.Optional;
import org.springframework.stereotype.Component;
import palmares.journal.Journal;
import palmares.journal.JournalGap;
import palmares.live.LiveRebuild;
import palmares.live.LiveRebuild.Halted;
import palmares.period.Definitions;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.rebuild.Rebuild.Present;

/** Ends all changes of a live board, and brings into PostgreSQL what only Redis has of it. */
@Component
class Halting {
  private final Definitions definitions;
  private final Rebuilds rebuilds;
  private final Leases leases;
  private final Journal journal;
  private final LiveRebuild live;

  Halting(
      Definitions definitions,
      Rebuilds rebuilds,
      Leases leases,
      Journal journal,
      LiveRebuild live) {
    this.definitions = definitions;
    this.rebuilds = rebuilds;
    this.leases = leases;
    this.journal = journal;
    this.live = live;
  }

  /**
   * @throws RebuildRefused if the live board is not needed, or is there
   */
  void requireUse(Period period, Present present) {
    if (PeriodState.RECONCILED.isReachedBy(period.state())) {
      throw new RebuildRefused(
          "%s is %s: its board agrees with its journal, and is not needed any more"
              .formatted(period.label(), period.state().word()));
    }
    if (definitions.of(period).adoption() != null) {
      throw new RebuildRefused(
          "%s is adopted: another program writes its board, and it has no journal"
              .formatted(period.label()));
    }
    if (present == Present.REFUSE && live.isWhole(period)) {
      throw new RebuildRefused(
          "the live board of %s is there; --replace makes it anew all the same"
              .formatted(period.label()));
    }
  }

  /**
   * A board that is halted, and drained.
   *
   * @param lost whether there was none
   * @param events how many the journal has
   */
  record Halt(boolean lost, long events) {}

  /**
   * Halts the board. One that was whole goes on as it was if what only Redis has cannot be kept.
   */
  Halt halt(Period period, Lease lease) {
    rebuilds.begin(lease);
    Optional<Halted> board = live.halt(period, lease);
    Optional<Halted> whole = board.filter(Halted::whole);
    try {
      if (drained(period, lease)) {
        // A board that was halted and not emptied yet, as behind a stall, has all that it counted.
        board.ifPresent(held -> requireReached(period, held, journal.position(period.id())));
      } else {
        whole.ifPresent(held -> requireReached(period, held, live.journaled(period)));
        live.putAside(period);
      }
    } catch (RuntimeException e) {
      whole.ifPresent(held -> live.resume(period, lease, held.state()));
      throw e;
    }
    return new Halt(board.isEmpty(), journal.position(period.id()));
  }

  /** False if Redis had gone back, and has decided other events since. */
  private boolean drained(Period period, Lease lease) {
    try {
      journal.drain(period, () -> leases.renew(lease));
      return true;
    } catch (JournalGap gap) {
      if (gap.wentBack()) {
        return false;
      }
      throw gap;
    }
  }

  /** Events that Redis counts, but neither PostgreSQL nor the stream has, would be gone. */
  private static void requireReached(Period period, Halted held, long reached) {
    if (held.events() > reached) {
      throw JournalGap.behind(period, reached, held.events());
    }
  }
}
