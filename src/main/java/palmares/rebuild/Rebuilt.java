package palmares.rebuild;

import palmares.period.PeriodState;

/**
 * A live board that was made anew.
 *
 * @param state the period's: open, or sealed
 * @param events how many of the journal it was made from
 * @param strays how many events only Redis had, and were decided anew
 * @param wasLost whether there was no live board before
 */
public record Rebuilt(PeriodState state, long events, long strays, boolean wasLost) {}
