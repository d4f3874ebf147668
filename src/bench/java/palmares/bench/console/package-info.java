/** Measures pages of the console of a period with many members. */
@NullMarked
package palmares.bench.console;

import org.jspecify.annotations.NullMarked;
