/** Writes the performance page from the figures of the other commands. */
@NullMarked
package palmares.bench.page;

import org.jspecify.annotations.NullMarked;
