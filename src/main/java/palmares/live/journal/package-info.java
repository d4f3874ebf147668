/**
 * Brings each live board's journal into PostgreSQL, every decided event exactly once, and answers
 * what became of an event.
 */
@NullMarked
package palmares.live.journal;

import org.jspecify.annotations.NullMarked;
