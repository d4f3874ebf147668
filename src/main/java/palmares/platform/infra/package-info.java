/**
 * Connects the application to PostgreSQL and Redis: embedded, external or in containers. Provides
 * Spring Boot's connection details, migrates the schema, and explains at start-up why a server
 * cannot be used.
 */
@NullMarked
package palmares.platform.infra;

import org.jspecify.annotations.NullMarked;
