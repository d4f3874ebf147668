package palmares.operations.rebuild;

import java.util.List;
import palmares.period.PeriodState;

/**
 * A live board that was made anew.
 *
 * @param state the period's: open, or sealed
 * @param events how many of the journal it was made from
 * @param strays how many events only Redis had, and were decided anew
 * @param ignored how many events only Redis had that had no effect, and were left out
 * @param refused the ids of events that only Redis had, and that the board refuses behind what
 *     PostgreSQL has, each with the reason
 * @param wasLost whether there was no live board before
 */
public record RebuildResult(
    PeriodState state,
    long events,
    long strays,
    long ignored,
    List<String> refused,
    boolean wasLost) {
  public RebuildResult {
    refused = List.copyOf(refused);
  }
}
