package palmares.closing;

import palmares.board.Board;
import palmares.period.Lease;
import palmares.period.Period;

/**
 * A closing under way.
 *
 * @param period as its row stood when the step began
 * @param board the rules that the period closes under
 * @param lease the right to work on it
 * @param by the person who asked for it, or the schedule
 */
record Closing(Period period, Board board, Lease lease, String by) {}
