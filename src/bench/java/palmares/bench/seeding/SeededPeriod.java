package palmares.bench.seeding;

import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.Layout;
import palmares.rules.board.TimeResolution;

/**
 * A period with a crowd's events.
 *
 * @param events number of the crowd's events
 */
public record SeededPeriod(Period period, Board board, Crowd crowd, long events) {
  public Layout layout() {
    return board.layout(period.slot());
  }

  /** The first tick of the period. */
  long firstTick() {
    return resolution().tick(period.slot().startsAt());
  }

  /** The number of the period's ticks. */
  public long ticks() {
    return resolution().tick(period.slot().endsAt()) - firstTick();
  }

  TimeResolution resolution() {
    return board.scale().resolution();
  }
}
