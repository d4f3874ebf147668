package palmares.operations.rebuild;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.board.JournalEntry;
import palmares.live.board.LiveJournal;
import palmares.live.board.LiveRebuild;
import palmares.live.board.LiveRebuild.Halted;
import palmares.live.journal.Journal;
import palmares.live.journal.JournalGap;
import palmares.live.journal.Quarantine;
import palmares.live.journal.StoredEvents;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.BoardDefinitions;
import palmares.period.Heartbeat;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;

/** Ends all changes of a live board, and brings into PostgreSQL what only Redis has of it. */
@Component
class BoardHalt {
  private static final int PAGE = 5_000;

  private final BoardDefinitions definitions;
  private final Rebuilds rebuilds;
  private final Leases leases;
  private final Journal journal;
  private final LiveRebuild live;
  private final LiveJournal entries;
  private final StoredEvents stored;
  private final Quarantine quarantine;
  private final LostCommits lostCommits;
  private final AcknowledgedLosses losses;

  BoardHalt(
      BoardDefinitions definitions,
      Rebuilds rebuilds,
      Leases leases,
      Journal journal,
      LiveRebuild live,
      LiveJournal entries,
      StoredEvents stored,
      Quarantine quarantine,
      LostCommits lostCommits,
      AcknowledgedLosses losses) {
    this.definitions = definitions;
    this.rebuilds = rebuilds;
    this.leases = leases;
    this.journal = journal;
    this.live = live;
    this.entries = entries;
    this.stored = stored;
    this.quarantine = quarantine;
    this.lostCommits = lostCommits;
    this.losses = losses;
  }

  /**
   * @throws RebuildRefused if the live board is not needed, or is there
   */
  void requireUse(Period period, Present present) {
    if (period.state().isFilled()) {
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
   *
   * @throws LossRefused if the journal falls short of what was sealed, and nobody has acknowledged
   *     that
   */
  Halt halt(Period period, Lease lease, @Nullable Acknowledgement acknowledged) {
    rebuilds.begin(lease);
    Optional<Halted> board = live.halt(period, lease);
    Optional<Halted> whole = board.filter(Halted::whole);
    try {
      boolean agrees = drained(period, lease);
      quarantine.requireNone(period);
      long reached = agrees ? journal.position(period.id()) : live.journaled(period);
      // A board that was halted and not emptied yet, as behind a stall, has all that it counted;
      // what a rebuild had put aside before it broke off is decided after the replay.
      boolean journaled = agrees && live.aside(period, 1).isEmpty();
      boolean counted = whole.isPresent() || journaled;
      if (board.isPresent() && counted) {
        requireReached(period, board.get(), reached);
        requireNoneLost(period, lease);
      }
      if (journaled && !lostCommits.concern(period)) {
        losses.require(period, acknowledged);
      }
      if (!agrees) {
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
      journal.drain(period, new Heartbeat(leases, lease));
      return true;
    } catch (JournalGap gap) {
      if (gap.wentBack()) {
        return false;
      }
      throw gap;
    }
  }

  /**
   * Every event that the board has decided must be in PostgreSQL or in the journal: what is in
   * neither would be gone with the board, whatever the numbers say.
   */
  private void requireNoneLost(Period period, Lease lease) {
    var lacking = new LinkedHashSet<String>();
    live.ids(
        period,
        page -> {
          lacking.addAll(stored.lacking(period.id(), page));
          leases.renew(lease);
        });
    if (lacking.isEmpty()) {
      return;
    }
    entries.all(period, PAGE, page -> page.forEach(entry -> lacking.remove(entry.decode().id())));
    long unreadable =
        quarantine.discarded(period.id()).stream()
            .filter(entry -> !takeOff(lacking, entry))
            .count();
    if (lacking.size() > unreadable) {
      throw JournalGap.lost(period, lacking.size(), lacking.iterator().next());
    }
  }

  /** Takes a discarded event off; false if its entry does not say which event it was. */
  private static boolean takeOff(Set<String> lacking, JournalEntry discarded) {
    try {
      lacking.remove(discarded.decode().id());
      return true;
    } catch (JournalEntry.Undecodable e) {
      return false;
    }
  }

  /** Events that Redis counts, but neither PostgreSQL nor the stream has, would be gone. */
  private static void requireReached(Period period, Halted held, long reached) {
    if (held.events() > reached) {
      throw JournalGap.behind(period, reached, held.events());
    }
  }
}
