/** Measures writing over HTTP, the floors of HTTP and Redis, and the usual way. */
@NullMarked
package palmares.bench.write;

import org.jspecify.annotations.NullMarked;
