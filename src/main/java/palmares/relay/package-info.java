/**
 * Events that are acknowledged when PostgreSQL has them: committed in groups, relayed to their live
 * boards in order until they are applied, however often Redis or a process goes away meanwhile.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"background", "board", "period", "live"})
package palmares.relay;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
