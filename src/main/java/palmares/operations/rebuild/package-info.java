/**
 * Makes a live board anew from the events that PostgreSQL has of it: each is decided again, and
 * must come out as it did.
 */
@NullMarked
package palmares.operations.rebuild;

import org.jspecify.annotations.NullMarked;
