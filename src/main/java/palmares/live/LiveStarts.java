package palmares.live;

import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.board.Board;
import palmares.period.LiveMarks;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Periods;

/** Makes the live boards of open periods, each once: one that was lost is not made again empty. */
@Component
public class LiveStarts {
  private final LiveBoards live;
  private final LiveExclusions exclusions;
  private final LiveMarks marks;
  private final TransactionTemplate transaction;

  LiveStarts(
      LiveBoards live,
      LiveExclusions exclusions,
      LiveMarks marks,
      TransactionTemplate transaction) {
    this.live = live;
    this.exclusions = exclusions;
    this.marks = marks;
    this.transaction = transaction;
  }

  /**
   * Makes the live board of an open period. The period's state is held meanwhile, so that it cannot
   * be sealed between our look at it and the board's making.
   *
   * @return whether the period is open, and so has its live board now
   * @throws LiveBoardGone if it had one that Redis has lost
   */
  public boolean start(Period period, Board rules) {
    return Boolean.TRUE.equals(
        transaction.execute(
            status -> {
              Periods.LiveMark mark = marks.hold(period.id());
              if (mark.state() != PeriodState.OPEN) {
                return false;
              }
              if (mark.live() && !live.exists(period)) {
                throw new LiveBoardGone(period);
              }
              live.open(period, rules);
              exclusions.tell(period);
              marks.make(period.id());
              return true;
            }));
  }
}
