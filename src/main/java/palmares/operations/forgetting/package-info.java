/** Forgets people: a pseudonym replaces their id in PostgreSQL and Redis, and sums still verify. */
@NullMarked
package palmares.operations.forgetting;

import org.jspecify.annotations.NullMarked;
