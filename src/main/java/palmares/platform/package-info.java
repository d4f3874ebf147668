/**
 * Time, threads, bulk load, forms, embedded servers and the connections to PostgreSQL and Redis.
 * Knows nothing of leaderboards.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {})
package palmares.platform;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
