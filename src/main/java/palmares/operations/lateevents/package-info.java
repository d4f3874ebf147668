/**
 * Late events and corrections of points: evaluates events that arrived after grace, keeps what
 * people decide on them, and writes the corrected lines of amendments.
 */
@NullMarked
package palmares.operations.lateevents;

import org.jspecify.annotations.NullMarked;
