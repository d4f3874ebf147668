/**
 * Measures: each figure beside the floor of the parts, or beside the usual way, taken in the same
 * run on the same machine.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "time",
      "calendar",
      "board",
      "payout",
      "catalogue",
      "period",
      "live",
      "bulk",
      "intake",
      "journal",
      "closing",
      "audit",
      "report"
    })
package palmares.bench;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
