/** Measures the start-up time of a server. */
@NullMarked
package palmares.bench.start;

import org.jspecify.annotations.NullMarked;
