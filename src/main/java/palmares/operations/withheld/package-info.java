/**
 * Withheld lines: lists the lines of inviters that the review of a board has flagged, and keeps
 * what people decide on them.
 */
@NullMarked
package palmares.operations.withheld;

import org.jspecify.annotations.NullMarked;
