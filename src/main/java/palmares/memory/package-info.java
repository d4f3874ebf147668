/**
 * What Redis holds by board and period, what of it will leave when, and what nobody knows any more.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"calendar", "board", "period", "live", "act"})
package palmares.memory;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
