/**
 * Measures what Redis holds by board and period, says when it will be removed, and removes keys of
 * unknown or expired periods.
 */
@NullMarked
package palmares.operations.memory;

import org.jspecify.annotations.NullMarked;
