/**
 * Closes periods: the steps from open to settled as a job of Spring Batch, approvals, expiry, and
 * the triggers of Quartz that ask what is due.
 */
@NullMarked
package palmares.settlement.closing;

import org.jspecify.annotations.NullMarked;
