/** Measures the use of heap, processors, Redis, and PostgreSQL's locks, memory and disk. */
@NullMarked
package palmares.bench.gauge;

import org.jspecify.annotations.NullMarked;
