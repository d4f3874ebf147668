package palmares.live.board;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import palmares.period.BoardDefinitions;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Periods.LiveMark;
import palmares.period.UnreadableDefinition;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;

/**
 * Makes the live boards of open periods, each once: one that was lost is not made again empty.
 *
 * <p>A board takes no event before PostgreSQL knows that it is there. First the intent is
 * committed, then Redis makes the board, then the mark is committed that it was made, and only then
 * Redis lets it take events. If a step fails or its outcome is unknown, the next caller goes on
 * from there.
 */
@Component
public class LiveBoardCreation {
  private static final Logger LOG = LoggerFactory.getLogger(LiveBoardCreation.class);

  private final LiveBoards live;
  private final LiveExclusions exclusions;
  private final LiveBoardMarks marks;
  private final BoardDefinitions definitions;

  LiveBoardCreation(
      LiveBoards live,
      LiveExclusions exclusions,
      LiveBoardMarks marks,
      BoardDefinitions definitions) {
    this.live = live;
    this.exclusions = exclusions;
    this.marks = marks;
    this.definitions = definitions;
  }

  /**
   * Makes the live board of an open period. Never part of a transaction: what PostgreSQL knows of
   * the board must be committed before Redis is asked.
   *
   * @return whether the period is open, and so has its live board now
   * @throws LiveBoardGone if it had one that Redis has lost
   * @throws RedisUnavailable if Redis does not answer; the board may have been made
   */
  public boolean start(Period period, Board rules) {
    requireNoTransaction();
    LiveMark mark = marks.intend(period.id());
    if (mark.state() != PeriodState.OPEN) {
      return false;
    }
    if (!mark.live()) {
      live.make(period, rules);
    } else if (!live.exists(period)) {
      throw new LiveBoardGone(period);
    }
    exclusions.tell(period);
    if (!mark.live() && !marks.make(period.id())) {
      return false;
    }
    live.open(period);
    return true;
  }

  /**
   * Not by an annotation, which would keep the connection that a statement has used until it ends.
   */
  private static void requireNoTransaction() {
    if (TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException("a live board is made outside of transactions only");
    }
  }

  /**
   * Finds live boards in Redis that PostgreSQL does not know of, and marks them as made, so that
   * they are drained, told exclusions and measured like all others.
   *
   * @return the periods of those that were marked
   */
  public List<Period> repair() {
    var repaired = new ArrayList<Period>();
    for (Period period : live.existing(marks.unmarked())) {
      try {
        if (start(period, definitions.of(period))) {
          repaired.add(period);
        }
      } catch (LiveBoardGone | UnreadableDefinition e) {
        LOG.warn("live board not marked as made, which is tried again: {}", e.getMessage());
      }
    }
    return repaired;
  }
}
