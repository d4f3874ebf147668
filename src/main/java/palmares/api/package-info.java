/** The HTTP API: who may call it, writing events, members, reading boards, and operations. */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform", "rules", "period", "live", "settlement", "operations"})
package palmares.api;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
