/** Measures closings of many small periods that are due at the same midnight. */
@NullMarked
package palmares.bench.small;

import org.jspecify.annotations.NullMarked;
