/**
 * One annotation for tests that need the application on real servers, {@link
 * palmares.testing.PalmaresTest}; the system property {@code palmares.infra} says which servers:
 * {@code embedded} (default), {@code containers} or {@code external}. With {@link
 * palmares.testing.WorldTest} a test also gets its own world: boards, time, an empty database.
 */
@NullMarked
package palmares.testing;

import org.jspecify.annotations.NullMarked;
