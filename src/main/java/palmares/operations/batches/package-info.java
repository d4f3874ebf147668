/**
 * Runs batches: one verb over many periods. A batch stores each of its periods with what became of
 * it, so that it can be resumed after a crash, works on the periods of a board in their order, and
 * does nothing twice.
 */
@NullMarked
package palmares.operations.batches;

import org.jspecify.annotations.NullMarked;
