/** How long the program takes from its first instruction to its first answers. */
@NullMarked
package palmares.bench.start;

import org.jspecify.annotations.NullMarked;
