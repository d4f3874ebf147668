/**
 * A made-up month of a small community, played through the real HTTP API and the real jobs with a
 * clock that it moves: what a newcomer sees first.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform", "period", "settlement"})
package palmares.demo;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
