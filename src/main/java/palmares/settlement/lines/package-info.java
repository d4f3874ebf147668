/**
 * Turns a frozen live board into the lines of an outcome, with places and ranks, and reconciles
 * them with the journal.
 */
@NullMarked
package palmares.settlement.lines;

import org.jspecify.annotations.NullMarked;
