/**
 * Defines the rules of boards: calendars, points, tiebreaks, payout rules and the encodings of
 * adopted boards; reads them from board files. Uses no database and no clock.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform"})
package palmares.rules;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
