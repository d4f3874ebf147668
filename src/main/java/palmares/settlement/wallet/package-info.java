/**
 * Follows awards into the wallet that credits them: what it said became of each, and where its own
 * list differs.
 */
@NullMarked
package palmares.settlement.wallet;

import org.jspecify.annotations.NullMarked;
