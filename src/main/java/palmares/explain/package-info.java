/**
 * One member's story in one period, for whoever is asked why: what it did and what each event gave,
 * how it came to its rank in each revision, what it was paid by which rule, and what came too late.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "calendar",
      "board",
      "payout",
      "period",
      "live",
      "member",
      "correction",
      "reward",
      "report"
    })
package palmares.explain;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
