/**
 * Computes payments from lines, by the reward rules of a board: awards, the differences that an
 * amendment pays, and the moves between tiers. Decides whether an outcome needs approval.
 */
@NullMarked
package palmares.settlement.reward;

import org.jspecify.annotations.NullMarked;
