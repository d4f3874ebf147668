/**
 * Derives every line and every payment of settled periods from the journal, the exclusions and the
 * rules, and names each difference from what is stored. Derives nothing by code of the closing.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "calendar",
      "adoption",
      "board",
      "bulk",
      "payout",
      "period",
      "revision",
      "proof"
    })
package palmares.audit;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
