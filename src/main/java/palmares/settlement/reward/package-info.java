/** Computes payments from lines, by the reward rules of a board. */
@NullMarked
package palmares.settlement.reward;

import org.jspecify.annotations.NullMarked;
