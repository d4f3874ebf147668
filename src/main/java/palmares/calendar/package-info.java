/**
 * Periods as pure functions of time: where a day, week, month, quarter, year or season begins and
 * ends in a zone, and what it is called. Knows no board, no clock and no database.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package palmares.calendar;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
