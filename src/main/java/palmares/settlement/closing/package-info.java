/**
 * Takes periods from their end to settled: the Spring Batch job, the leases that it runs under, and
 * the Quartz triggers that ask what is due.
 */
@NullMarked
package palmares.settlement.closing;

import org.jspecify.annotations.NullMarked;
