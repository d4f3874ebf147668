/**
 * Measures writing: events over HTTP from a process of its own, beside the floor of HTTP, the floor
 * of Redis, and the usual way.
 */
@NullMarked
package palmares.bench.write;

import org.jspecify.annotations.NullMarked;
