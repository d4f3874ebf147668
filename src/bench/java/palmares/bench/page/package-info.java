/** Tells what was measured on a page: figures against their aims, growth, and what follows. */
@NullMarked
package palmares.bench.page;

import org.jspecify.annotations.NullMarked;
