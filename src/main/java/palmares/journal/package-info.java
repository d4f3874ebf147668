/**
 * Brings each live board's journal into PostgreSQL, every decided event exactly once, and answers
 * what became of an event.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {"act", "background", "bulk", "board", "calendar", "period", "live"})
package palmares.journal;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
