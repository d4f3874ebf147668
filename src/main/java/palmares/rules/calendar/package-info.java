/**
 * Computes the periods of a board from its calendar: where a day, week, month, quarter, year or
 * season begins and ends in a zone, and its name. Contains values and pure functions only.
 */
@NullMarked
package palmares.rules.calendar;

import org.jspecify.annotations.NullMarked;
