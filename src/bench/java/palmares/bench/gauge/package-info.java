/** Reads off what work takes: of the heap, the processors, Redis, and PostgreSQL's disk. */
@NullMarked
package palmares.bench.gauge;

import org.jspecify.annotations.NullMarked;
