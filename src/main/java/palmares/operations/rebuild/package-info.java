/**
 * Rebuilds a live board from its events in PostgreSQL. Each event is replayed and must have the
 * same result as before.
 */
@NullMarked
package palmares.operations.rebuild;

import org.jspecify.annotations.NullMarked;
