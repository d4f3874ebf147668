/**
 * Moves the history of periods that are long over into files, which prove themselves; drops from
 * the database only what has been read back from there.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"calendar", "board", "period", "bulk", "audit", "act"})
package palmares.archive;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
