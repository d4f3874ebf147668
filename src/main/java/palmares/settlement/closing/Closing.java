package palmares.settlement.closing;

import java.util.function.Consumer;
import java.util.function.LongConsumer;
import palmares.period.Heartbeat;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.rules.board.Board;

/**
 * A running closing: its period, rules, lease and progress.
 *
 * @param period the period's row when the step began
 * @param board the rules that the period closes under
 * @param lease the right to change the period
 * @param cause who or what asked for the closing
 * @param heartbeat renews the lease during long work
 * @param progress counts what is done
 * @param changed receives the period after each committed change of its state
 */
record Closing(
    Period period,
    Board board,
    Lease lease,
    ClosingCause cause,
    Heartbeat heartbeat,
    RunProgress progress,
    Consumer<Period> changed) {
  /** Renews the lease after each batch of events, and counts the events. */
  LongConsumer drained() {
    return last -> {
      progress.step().reach(last);
      heartbeat.run();
    };
  }
}
