/**
 * The demo: a month of a small, invented community, played through the HTTP API and the closing
 * jobs with a clock that it moves.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform", "period", "settlement"})
package palmares.demo;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
