package palmares.bench.seeding;

import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.Layout;
import palmares.rules.board.TimeResolution;

/**
 * A period and who takes part in it.
 *
 * @param period open, or closed meanwhile
 * @param board its rules
 * @param events how many the crowd brought
 */
public record SeededPeriod(Period period, Board board, Crowd crowd, long events) {
  public Layout layout() {
    return board.layout(period.slot());
  }

  /** The tick at which the period begins. */
  long firstTick() {
    return resolution().tick(period.slot().startsAt());
  }

  /** How many ticks it has. */
  public long ticks() {
    return resolution().tick(period.slot().endsAt()) - firstTick();
  }

  TimeResolution resolution() {
    return board.scale().resolution();
  }
}
