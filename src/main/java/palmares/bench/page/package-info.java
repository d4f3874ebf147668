/** Tells what was measured on a page: figures against their aims, growth, and what follows. */
@NullMarked
@NamedInterface("page")
package palmares.bench.page;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
