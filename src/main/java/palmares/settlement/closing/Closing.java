package palmares.settlement.closing;

import palmares.period.Lease;
import palmares.period.Period;
import palmares.rules.board.Board;

/**
 * A closing under way.
 *
 * @param period as its row stood when the step began
 * @param board the rules that the period closes under
 * @param lease the right to work on it
 * @param cause who or what asked for it
 */
record Closing(Period period, Board board, Lease lease, ClosingCause cause) {}
