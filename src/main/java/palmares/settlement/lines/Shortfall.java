package palmares.settlement.lines;

import palmares.period.Period;
import palmares.period.Population;

/**
 * What a rebuilt live board lacks of its sealed population.
 *
 * @param period the period's row before the rebuild
 * @param sealed the population at the seal
 * @param rebuilt the population that the journal produces
 */
public record Shortfall(Period period, Population sealed, Population rebuilt) {}
