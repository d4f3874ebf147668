package palmares.live.journal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveEnds;
import palmares.live.board.LiveJournal;
import palmares.live.board.LiveJournal.BoardProgress;
import palmares.live.journal.Journal.Drained;
import palmares.live.journal.Journal.Position;
import palmares.live.journal.JournalBacklogs.JournalBacklog;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.infra.WorkPermit;
import palmares.platform.redis.RedisClient.Answers;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.LogContext;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;
import palmares.platform.threads.Spans;

/** Drains the journals of all open periods once. */
@Component
class DrainRound {
  private final Periods periods;
  private final Journal journal;
  private final LiveJournal live;
  private final JournalBacklogs backlogs;
  private final JournalFaults faults;
  private final LiveEnds ends;
  private final Spans spans;
  private final WorkPermit permit;

  DrainRound(
      Periods periods,
      Journal journal,
      LiveJournal live,
      JournalBacklogs backlogs,
      JournalFaults faults,
      LiveEnds ends,
      Spans spans,
      WorkPermit permit) {
    this.periods = periods;
    this.journal = journal;
    this.live = live;
    this.backlogs = backlogs;
    this.faults = faults;
    this.ends = ends;
    this.spans = spans;
    this.permit = permit;
  }

  /**
   * Drains journals while a server runs. Several servers may do so at the same time: each skips the
   * periods that another has locked.
   */
  @Component
  static class Drainer extends BackgroundLoop {
    Drainer(Loops loops, DrainRound round, Journal.Settings settings) {
      super(loops, "journal drainer", settings.drain(), round::run);
    }
  }

  /**
   * Drains until all journals are empty.
   *
   * @param mayContinue is called before each batch; false ends the round
   * @throws RedisUnavailable if a node of Redis does not answer; the journals of the others are
   *     drained
   */
  void run(BooleanSupplier mayContinue) {
    Found found;
    boolean more;
    do {
      more = false;
      found = findBacklogs();
      permit.require();
      keepUp(found);
      for (JournalBacklog backlog : found.backlogs()) {
        more |= mayContinue.getAsBoolean() && drain(backlog.period());
      }
    } while (more);
    faults.report();
    found.boards().requireAll();
  }

  /** What PostgreSQL and Redis have of the open periods. */
  private record Found(
      List<Period> open,
      Map<PeriodId, Position> positions,
      Answers<BoardProgress> boards,
      List<JournalBacklog> backlogs) {}

  /**
   * Updates the metrics even if PostgreSQL does not answer, or this process must not drain, because
   * the backlog grows then.
   */
  private Found findBacklogs() {
    List<Period> open;
    try {
      open = periods.open();
    } catch (DataAccessException e) {
      backlogs.refresh();
      throw e;
    }
    // Read before the live boards, which have decided at least as many events if none is lost.
    Map<PeriodId, Position> positions = journal.positions(open.stream().map(Period::id).toList());
    Answers<BoardProgress> reached = live.reach(open);
    List<Optional<BoardProgress>> boards = reached.each();
    faults.compare(open, positions, boards);
    List<JournalBacklog> found = backlogs.find(open, positions, boards);
    faults.noteBacklogs(found.stream().map(JournalBacklog::period).toList());
    return new Found(open, positions, reached, found);
  }

  private void keepUp(Found found) {
    List<Optional<BoardProgress>> boards = found.boards().each();
    for (int i = 0; i < boards.size(); i++) {
      Period period = found.open().get(i);
      boards.get(i).ifPresent(board -> keepUp(period, board, found.positions()));
    }
  }

  private void keepUp(Period period, BoardProgress board, Map<PeriodId, Position> positions) {
    Position position = positions.getOrDefault(period.id(), Position.NONE);
    if (board.hasOtherEnd(period)) {
      ends.repair(period.id());
    }
    if (journal.isTrimmable(board, position)) {
      journal.trim(period, position);
    }
  }

  private boolean drain(Period period) {
    var context =
        LogContext.of(LogContext.BOARD, period.board()).and(LogContext.PERIOD, period.name());
    try (context) {
      return drainOnce(period);
    }
  }

  private boolean drainOnce(Period period) {
    try {
      Drained drained =
          spans.call(
              "drain",
              () -> journal.drainBatch(period),
              "board",
              period.board(),
              "period",
              period.name());
      if (drained != Drained.LOCKED) {
        faults.drained(period);
      }
      return drained == Drained.MORE;
    } catch (RuntimeException e) {
      // Without a server, or with a full disk, no journal can be drained.
      if (e instanceof DataAccessResourceFailureException || Outages.server(e).isPresent()) {
        throw e;
      }
      // One journal that cannot be drained must not block the others.
      faults.notDrained(period, e);
      return false;
    }
  }
}
