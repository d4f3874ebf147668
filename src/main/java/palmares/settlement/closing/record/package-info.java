/**
 * Spring Batch's record of closings: its own tables, read as it reads them, and written with a
 * statement a step. What it says is for people; no closing rests on it.
 */
@NullMarked
package palmares.settlement.closing.record;

import org.jspecify.annotations.NullMarked;
