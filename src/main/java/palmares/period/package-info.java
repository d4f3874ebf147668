/**
 * Periods: their rows, states and transitions, the leases under which they are worked on, when they
 * are due, paused boards, exclusions, and the audit log.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform", "rules"})
package palmares.period;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
