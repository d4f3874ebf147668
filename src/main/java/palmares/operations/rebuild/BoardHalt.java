package palmares.operations.rebuild;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.board.ClosedMarks;
import palmares.live.board.JournalEntry;
import palmares.live.board.LiveJournal;
import palmares.live.board.LiveRebuild;
import palmares.live.board.LiveRebuild.Halted;
import palmares.live.journal.Journal;
import palmares.live.journal.JournalGap;
import palmares.live.journal.MissingEvents;
import palmares.live.journal.MissingEvents.Numbers;
import palmares.live.journal.Quarantine;
import palmares.live.journal.StoredEvents;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.BoardDefinitions;
import palmares.period.Heartbeat;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.period.WrongState;
import palmares.platform.Refusal;
import palmares.rules.board.Board.Durability;

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
  private final ClosedMarks closed;
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
      ClosedMarks closed,
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
    this.closed = closed;
    this.losses = losses;
  }

  /**
   * Checks that a rebuild is possible and wanted.
   *
   * @throws WrongState if the live board is not needed, is adopted, or exists; none if PostgreSQL
   *     has forgotten the closing of an adopted board
   */
  void requireRebuildable(Period period, Present present) {
    boolean settled = period.state().isSettled();
    boolean forgotten = !settled && closed.forgotten(period).isPresent();
    if (settled || period.state().isFilled() && !forgotten) {
      throw new WrongState(new RebuildSentences.Needless(period.label(), period.state().word()));
    }
    boolean counts = definitions.of(period).kind().countsEvents();
    if (!counts && !forgotten) {
      throw new WrongState(new RebuildSentences.Adopted(period.label()));
    }
    if (counts && present == Present.REFUSE && live.isWhole(period)) {
      throw new WrongState(new RebuildSentences.Present(period.label()))
          .then(Repair.REPLACE.next(period.board(), period.name()));
    }
  }

  /** Whether events are replayed; if not, the period only goes on. */
  boolean replays(Period period) {
    return !period.state().isFilled() && definitions.of(period).kind().countsEvents();
  }

  /**
   * A halted and drained board.
   *
   * @param lost whether there was no live board
   * @param events the number of events in the journal
   * @param loss what a person has given up
   */
  record Halt(boolean lost, long events, Loss loss) {}

  /** Says how the journal in Redis continues what PostgreSQL has. */
  private enum Drained {
    ALL,
    /** Redis has decided other events under numbers that PostgreSQL has. */
    WENT_BACK,
    /** Events between the two are in neither. */
    GAP
  }

  /**
   * Halts the board and drains its journal. If the events that only Redis has cannot be kept, a
   * complete board resumes as before.
   *
   * @throws Refusal if events are in neither store, or the journal lacks sealed members, points or
   *     events, and nobody has acknowledged that
   */
  Halt halt(Period period, Lease lease, @Nullable Acknowledgement acknowledged) {
    rebuilds.begin(lease);
    Optional<Halted> board = live.halt(period, lease);
    Optional<Halted> whole = board.filter(Halted::whole);
    Loss loss;
    try {
      Drained drained = drain(period, lease);
      quarantine.requireNone(period);
      // A halted board that is not reset yet still has all that it counted. Events that an earlier
      // rebuild had put aside are decided after the replay.
      boolean first = live.aside(period, 1).isEmpty();
      boolean counted = whole.isPresent() || drained != Drained.WENT_BACK && first;
      Optional<Loss> interrupted = losses.givenUp(period).map(kept -> remaining(period, kept));
      MissingEvents missing =
          interrupted.isEmpty() && counted
              ? findMissing(period, lease, board, drained)
              : MissingEvents.NONE;
      loss = interrupted.orElse(new Loss(missing, closed.forgotten(period).orElse(null)));
      loss.requireAcknowledged(period, acknowledged, journal.last(period));
      if (drained == Drained.ALL && first && !lostCommits.mayExist(period)) {
        losses.check(period, acknowledged);
      }
      losses.giveUp(period, lease, loss);
      if (drained != Drained.ALL) {
        live.putAside(period);
      }
    } catch (RuntimeException e) {
      whole.ifPresent(held -> live.resume(period, lease, held.state()));
      throw e;
    }
    if (!loss.events().isNone()) {
      live.keepFormer(period);
    }
    return new Halt(board.isEmpty(), journal.position(period.id()), loss);
  }

  /**
   * Removes from what an interrupted rebuild was to give up what PostgreSQL has by now, because it
   * was restored to a later point. Only an id shows that: the interrupted rebuild may have used the
   * numbers again, and committed events may have been sent again.
   */
  private Loss remaining(Period period, Loss kept) {
    MissingEvents events = kept.events();
    boolean restored =
        events.first() != null
            && !lostCommits.mayExist(period)
            && stored.lacking(period.id(), List.of(events.first())).isEmpty();
    return new Loss(
        restored ? events.after(journal.position(period.id())) : events,
        ClosedMarks.isForgotten(period, kept.forgotten()) ? kept.forgotten() : null);
  }

  private Drained drain(Period period, Lease lease) {
    try {
      var heartbeat = new Heartbeat(leases, lease);
      journal.drain(period, last -> heartbeat.run());
      return Drained.ALL;
    } catch (JournalGap gap) {
      return gap.wentBack() ? Drained.WENT_BACK : Drained.GAP;
    }
  }

  /** Finds decided events that are neither in PostgreSQL nor in the journal in Redis. */
  private MissingEvents findMissing(
      Period period, Lease lease, Optional<Halted> board, Drained drained) {
    long decided = board.map(Halted::events).orElse(0L);
    List<Numbers> numbers =
        drained == Drained.WENT_BACK
            ? after(live.journaled(period), decided)
            : gaps(period, decided);
    return board.isPresent()
        ? findMissing(period, lease, numbers)
        : MissingEvents.of(numbers, List.of(), 0);
  }

  /** Returns the numbers after those that the stores have. */
  private static List<Numbers> after(long reached, long decided) {
    return decided > reached ? List.of(new Numbers(reached + 1, decided)) : List.of();
  }

  /** Returns the numbers that PostgreSQL lacks, and the stream, too. */
  private List<Numbers> gaps(Period period, long decided) {
    var gaps = new ArrayList<Numbers>();
    long[] reached = {journal.position(period.id())};
    entries.all(
        period,
        EVENTS_PER_PAGE,
        page -> {
          for (JournalEntry entry : page) {
            gaps.addAll(after(reached[0], entry.seq() - 1));
            reached[0] = Math.max(reached[0], entry.seq());
          }
        });
    gaps.addAll(after(reached[0], decided));
    return gaps;
  }

  /**
   * Adds the events that their numbers do not reveal: Redis may have used these again. An event in
   * neither store would be lost with the board.
   */
  private MissingEvents findMissing(Period period, Lease lease, List<Numbers> numbers) {
    var lacking = new LinkedHashSet<String>();
    live.ids(
        period,
        page -> {
          lacking.addAll(stored.lacking(period.id(), page));
          leases.renew(lease);
        });
    long unreadable = 0;
    if (!lacking.isEmpty()) {
      entries.all(
          period, EVENTS_PER_PAGE, page -> page.forEach(entry -> removeDecided(lacking, entry)));
      unreadable =
          quarantine.discarded(period.id()).stream()
              .filter(entry -> !removeDecided(lacking, entry))
              .count();
    }
    return lacking.isEmpty() && areCommitted(period, numbers)
        ? MissingEvents.NONE
        : MissingEvents.of(numbers, List.copyOf(lacking), unreadable);
  }

  /**
   * Whether each event of a board that knows all of its ids is in PostgreSQL, so that the relay
   * applies again what the journals lack.
   */
  private boolean areCommitted(Period period, List<Numbers> numbers) {
    return definitions.of(period).durability() == Durability.COMMITTED
        && numbers.stream().allMatch(some -> some.from() > entries.forgotten(period));
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
}
