/** Many small periods that are due at one midnight. */
@NullMarked
@NamedInterface("small")
package palmares.bench.small;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
