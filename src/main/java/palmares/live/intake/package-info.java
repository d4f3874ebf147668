/**
 * Takes events: reads them, finds their boards and periods, applies them to the live boards and
 * says what became of each. The doors, HTTP and import, only bring them.
 */
@NullMarked
package palmares.live.intake;

import org.jspecify.annotations.NullMarked;
