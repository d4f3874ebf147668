/** Derives by SQL what the rules of a period decide on its events. */
@NullMarked
package palmares.settlement.decisions;

import org.jspecify.annotations.NullMarked;
