/**
 * Explains one member's result in one period: its events, its line in each revision, what it was
 * paid by which rule, and its late events.
 */
@NullMarked
package palmares.operations.explain;

import org.jspecify.annotations.NullMarked;
