/**
 * Who may not win: made and lifted by people, in force for every period that it overlaps, frozen
 * with each revision that is ranked.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"act", "calendar", "board", "period"})
package palmares.exclusion;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
