/**
 * The demo: a month of a small, invented community, played through the HTTP API and the closing
 * jobs with a clock that it moves, and a bad night at its end.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform", "rules", "period", "live", "settlement", "operations"})
package palmares.demo;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
