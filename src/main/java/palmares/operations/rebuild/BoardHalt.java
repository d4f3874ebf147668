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
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.BoardDefinitions;
import palmares.period.Heartbeat;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.platform.Refusal;

/** Stops all changes of a live board, and drains into PostgreSQL what only Redis has. */
@Component
class BoardHalt {
  private static final int EVENTS_PER_PAGE = 5_000;

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
   * Checks that a rebuild is possible and wanted.
   *
   * @throws WrongState if the live board is not needed, is adopted, or exists
   */
  void requireRebuildable(Period period, Present present) {
    if (period.state().isFilled()) {
      throw new WrongState(
          "%s is %s: its live board is not needed any more"
              .formatted(period.label(), period.state().word()));
    }
    definitions
        .of(period)
        .kind()
        .run(
            () -> {},
            adoption -> {
              throw new WrongState(
                  "%s is adopted: another program writes its board, so it has no journal to"
                          .formatted(period.label())
                      + " rebuild from");
            });
    if (present == Present.REFUSE && live.isWhole(period)) {
      throw new WrongState(
          "the live board of %s exists; add --replace to rebuild it anyway"
              .formatted(period.label()));
    }
  }

  /**
   * A halted and drained board.
   *
   * @param lost whether there was no live board
   * @param events the number of events in the journal
   */
  record Halt(boolean lost, long events) {}

  /**
   * Halts the board and drains its journal. If the events that only Redis has cannot be kept, a
   * complete board resumes as before.
   *
   * @throws Refusal if the journal lacks sealed members, points or events, and nobody has
   *     acknowledged that
   */
  Halt halt(Period period, Lease lease, @Nullable Acknowledgement acknowledged) {
    rebuilds.begin(lease);
    Optional<Halted> board = live.halt(period, lease);
    Optional<Halted> whole = board.filter(Halted::whole);
    try {
      boolean agrees = drain(period, lease);
      quarantine.requireNone(period);
      long reached = agrees ? journal.position(period.id()) : live.journaled(period);
      // A halted board that is not reset yet still has all that it counted. Events that an earlier
      // rebuild had put aside are decided after the replay.
      boolean journaled = agrees && live.aside(period, 1).isEmpty();
      boolean counted = whole.isPresent() || journaled;
      if (board.isPresent() && counted) {
        requireReached(period, board.get(), reached);
        requireNoneLost(period, lease);
      }
      if (journaled && !lostCommits.mayExist(period)) {
        losses.check(period, acknowledged);
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

  /** Drains the journal; false if Redis went back and has decided other events since. */
  private boolean drain(Period period, Lease lease) {
    try {
      var heartbeat = new Heartbeat(leases, lease);
      journal.drain(period, last -> heartbeat.run());
      return true;
    } catch (JournalGap gap) {
      if (gap.wentBack()) {
        return false;
      }
      throw gap;
    }
  }

  /**
   * Requires each event that the board has decided to be in PostgreSQL or in the journal; an event
   * in neither would be lost with the board.
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
    entries.all(
        period, EVENTS_PER_PAGE, page -> page.forEach(entry -> removeDecided(lacking, entry)));
    long unreadable =
        quarantine.discarded(period.id()).stream()
            .filter(entry -> !removeDecided(lacking, entry))
            .count();
    if (lacking.size() > unreadable) {
      throw JournalGap.lost(period, lacking.size(), lacking.iterator().next());
    }
  }

  /** Removes the event of an entry; false if it cannot be decoded. */
  private static boolean removeDecided(Set<String> lacking, JournalEntry entry) {
    try {
      lacking.remove(entry.decode().id());
      return true;
    } catch (JournalEntry.Undecodable e) {
      return false;
    }
  }

  /** Refuses if Redis counts events that neither PostgreSQL nor the stream has. */
  private static void requireReached(Period period, Halted held, long reached) {
    if (held.events() > reached) {
      throw JournalGap.behind(period, reached, held.events());
    }
  }
}
