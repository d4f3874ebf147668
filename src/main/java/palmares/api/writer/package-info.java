/** HTTP endpoints that need an API key: events, registrations, and members. */
@NullMarked
package palmares.api.writer;

import org.jspecify.annotations.NullMarked;
