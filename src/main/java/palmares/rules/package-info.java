/**
 * The rules of boards: calendars, points, tiebreaks, payout rules, encodings of adopted boards, and
 * the catalogue that reads them from board files. Reads no database and no clock.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform"})
package palmares.rules;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
