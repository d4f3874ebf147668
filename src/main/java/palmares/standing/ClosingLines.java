package palmares.standing;

import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.period.Period;
import palmares.revision.Revision;

/** Writes the lines of a closing and proves them against the journal. */
@Component
public class ClosingLines {
  private final FrozenLines frozen;
  private final Reconciliation reconciliation;

  ClosingLines(FrozenLines frozen, Reconciliation reconciliation) {
    this.frozen = frozen;
    this.reconciliation = reconciliation;
  }

  /**
   * Writes the lines of an outcome that has none yet, and freezes its exclusions.
   *
   * @param progress is run now and then
   * @throws Mismatch if board, lines and journal do not agree; the transaction must roll back
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void write(Period period, int outcome, Board board, Runnable progress) {
    reconciliation.check(
        period,
        outcome,
        board,
        frozen.write(period, Revision.FIRST, outcome, board, progress));
  }
}
