/** The HTTP API: who may call it, writing events, registering members, and reading boards. */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform", "rules", "period", "live", "settlement", "operations"})
package palmares.api;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
