/** Measures closings of big boards by the real job, the floor of its parts, and the usual way. */
@NullMarked
package palmares.bench.close;

import org.jspecify.annotations.NullMarked;
