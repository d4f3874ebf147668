/**
 * Measures writing: events over HTTP from a process of its own, beside the floor of HTTP, the floor
 * of Redis, and the usual way.
 */
@NullMarked
@NamedInterface("write")
package palmares.bench.write;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
