/**
 * Provides time, background loops, bulk load, YAML forms, embedded servers and the connections to
 * PostgreSQL and Redis. Nothing here depends on leaderboards.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {})
package palmares.platform;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
