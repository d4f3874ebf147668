/** How long the program takes from its first instruction to its first answers. */
@NullMarked
@NamedInterface("start")
package palmares.bench.start;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
