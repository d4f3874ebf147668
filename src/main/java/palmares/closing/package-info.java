/**
 * Takes periods from their end to settled: the Spring Batch job, the leases that it runs under, and
 * the Quartz triggers that ask what is due.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "background",
      "time",
      "calendar",
      "board",
      "bulk",
      "catalogue",
      "period",
      "live",
      "relay",
      "journal",
      "standing",
      "revision",
      "exclusion",
      "reward",
      "outbox",
      "nightly",
      "audit",
      "proof",
      "act",
      "payout"
    })
package palmares.closing;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
