/**
 * From a frozen live board to final ranks: the snapshot, its proof against the journal, and the
 * standings.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {"bulk", "adoption", "board", "period", "live", "exclusion", "revision"})
package palmares.standing;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
