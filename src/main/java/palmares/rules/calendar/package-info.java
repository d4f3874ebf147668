/**
 * Periods as pure functions of time: where a day, week, month, quarter, year or season begins and
 * ends in a zone, and what it is called. Knows no board, no clock and no database.
 */
@NullMarked
package palmares.rules.calendar;

import org.jspecify.annotations.NullMarked;
