/**
 * Where PostgreSQL and Redis come from: embedded, external or containers. Contributes Spring Boot's
 * own connection details, so that every pool and client follows, and says clearly what is wrong
 * when a server does not answer at the start.
 */
@NullMarked
package palmares.platform.infra;

import org.jspecify.annotations.NullMarked;
