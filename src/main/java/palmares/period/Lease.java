package palmares.period;

/**
 * The right to work on a period.
 *
 * @param fence grows with every lease on the period; writes carry it, and the database refuses
 *     those of a former one
 * @param owner which process holds it
 */
public record Lease(PeriodId period, long fence, String owner) {}
