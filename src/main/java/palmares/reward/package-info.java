/** From standings to money: what the reward rules award, and its payment through the ledger. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {"calendar", "board", "payout", "period", "revision", "bulk"})
package palmares.reward;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
