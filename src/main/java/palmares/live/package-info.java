/**
 * Everything before a period closes: live boards in Redis, their journal, the relay of committed
 * events, the intake, members, and the import of a history.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform", "rules", "period"})
package palmares.live;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
