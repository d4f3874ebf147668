/**
 * The console: pages for operations staff, support and finance. Pages call the resources of the
 * operations API in this process, with the same rules for callers.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {
      "platform",
      "rules",
      "period",
      "live",
      "settlement",
      "operations",
      "api"
    })
package palmares.console;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
