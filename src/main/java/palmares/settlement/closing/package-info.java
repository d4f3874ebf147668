/**
 * Closes periods: the steps from open to settled as a job of Spring Batch, approvals, and expiry.
 */
@NullMarked
package palmares.settlement.closing;

import org.jspecify.annotations.NullMarked;
