/**
 * Where PostgreSQL and Redis come from: embedded, external or containers. Contributes Spring Boot's
 * own connection details, so that every pool and client follows, and says clearly what is wrong
 * when a server does not answer at the start.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"background", "embedded"})
package palmares.infra;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
