/**
 * Writes Spring Batch's record of closings into its own tables, with one statement a step. The
 * record is for people; no closing depends on it.
 */
@NullMarked
package palmares.settlement.closing.record;

import org.jspecify.annotations.NullMarked;
