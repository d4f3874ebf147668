/** From standings to money: what the reward rules award, and its payment through the ledger. */
@NullMarked
package palmares.settlement.reward;

import org.jspecify.annotations.NullMarked;
