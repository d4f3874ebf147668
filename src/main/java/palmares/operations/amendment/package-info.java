/**
 * Amends settled periods: computes the next revision next to the current one, and on approval posts
 * only the differences. A dry run is the same computation, rolled back.
 */
@NullMarked
package palmares.operations.amendment;

import org.jspecify.annotations.NullMarked;
