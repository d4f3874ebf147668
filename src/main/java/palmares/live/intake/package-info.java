/**
 * Takes events from the API and from imports: reads them, finds their boards and periods, lets the
 * live boards decide them, and returns the outcome of each.
 */
@NullMarked
package palmares.live.intake;

import org.jspecify.annotations.NullMarked;
