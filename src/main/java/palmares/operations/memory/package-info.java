/**
 * What Redis holds by board and period, what of it will leave when, and what nobody knows any more.
 */
@NullMarked
package palmares.operations.memory;

import org.jspecify.annotations.NullMarked;
