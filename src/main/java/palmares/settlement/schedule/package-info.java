/**
 * Declares the jobs of Quartz, which ask what is due: the sweep, expiry, the nightly verification,
 * the digest, pruning and anchors. No other package knows Quartz.
 */
@NullMarked
package palmares.settlement.schedule;

import org.jspecify.annotations.NullMarked;
