/** Many small periods that are due at one midnight. */
@NullMarked
package palmares.bench.small;

import org.jspecify.annotations.NullMarked;
