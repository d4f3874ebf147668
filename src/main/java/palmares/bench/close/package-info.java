/**
 * Measures closings of big boards by the real job, beside the floor of its parts and the usual way.
 */
@NullMarked
@NamedInterface("close")
package palmares.bench.close;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
