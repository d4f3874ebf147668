/**
 * Corrections of settled periods: a revision is computed beside the one that stands, looked at, and
 * on approval only what differs is posted. The same computation, taken back, answers what if.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "calendar",
      "board",
      "payout",
      "period",
      "revision",
      "standing",
      "exclusion",
      "correction",
      "reward",
      "act",
      "proof",
      "outbox",
      "audit"
    })
package palmares.amendment;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
