/**
 * Measures: each figure beside the floor of the parts, or beside the usual way, taken in the same
 * run on the same machine.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform", "rules", "period", "live", "settlement", "operations"})
package palmares.bench;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
