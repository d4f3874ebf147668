/**
 * Periods as rows with a state: states and transitions, leases, what is due, exclusions and the
 * audit log.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform", "rules"})
package palmares.period;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
