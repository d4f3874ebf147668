package palmares.settlement.closing;

import palmares.period.Heartbeat;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.rules.board.Board;

/**
 * Is what a step works on.
 *
 * @param period the period's row when the step began
 * @param board the rules that the period closes under
 * @param lease the right to change the period
 * @param cause who or what asked for the closing
 * @param heartbeat renews the lease during long work
 */
record Closing(Period period, Board board, Lease lease, ClosingCause cause, Heartbeat heartbeat) {}
