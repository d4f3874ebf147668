/**
 * Derives the standings, awards and transfers of settled periods anew, and names every difference
 * from what is stored. Shares no code with the closing.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "calendar",
      "adoption",
      "board",
      "payout",
      "period",
      "revision",
      "proof"
    })
package palmares.audit;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
