/**
 * Turns a frozen live board into the lines of an outcome, with places and ranks, and proves them
 * against the journal.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {"bulk", "adoption", "board", "period", "live", "exclusion", "revision"})
package palmares.standing;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
