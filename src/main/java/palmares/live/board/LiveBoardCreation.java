package palmares.live.board;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import palmares.period.BoardDefinitions;
import palmares.period.BoardDefinitions.UnreadableDefinition;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Periods.LiveMark;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;

/**
 * Creates the live boards of open periods, each once: a lost board is not created again empty.
 *
 * <p>A board takes no event before PostgreSQL has the mark of its creation. First the intent is
 * committed, then Redis creates the board, then the mark is committed, and only then Redis opens
 * the board. If a step fails or its result is unknown, the next caller continues from there.
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
   * Creates the live board of an open period, if it has none. Must not be called in a transaction,
   * because the intent must be committed before Redis creates the board.
   *
   * @return whether the period is open, and so has its live board now
   * @throws LiveBoardGone if it had one that Redis has lost
   * @throws RedisUnavailable if Redis does not answer; the board may exist or not
   */
  public boolean start(Period period, Board rules) {
    requireNoTransaction();
    LiveMark mark = marks.intend(period.id());
    if (mark.state() != PeriodState.OPEN) {
      return false;
    }
    if (!mark.live()) {
      live.create(period, rules);
    } else if (!live.exists(period)) {
      throw LiveBoardGone.counted(period);
    }
    exclusions.update(period);
    if (!mark.live() && !marks.markCreated(period.id())) {
      return false;
    }
    live.open(period);
    return true;
  }

  /** Checks in code: a transaction that an annotation suspends keeps its connection meanwhile. */
  private static void requireNoTransaction() {
    if (TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException("a live board must not be created in a transaction");
    }
  }

  /**
   * Marks live boards as created that exist in Redis without a mark, so that they are drained, get
   * exclusions and are measured.
   *
   * @return the periods of the boards that were marked
   */
  public List<Period> repair() {
    var repaired = new ArrayList<Period>();
    for (Period period : live.existing(marks.unmarked())) {
      try {
        if (start(period, definitions.of(period))) {
          repaired.add(period);
        }
      } catch (LiveBoardGone | UnreadableDefinition e) {
        LOG.warn("live board not marked as created, will be retried: {}", e.getMessage());
      }
    }
    return repaired;
  }
}
