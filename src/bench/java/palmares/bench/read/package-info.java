/** Measures queries of live boards, and how their time grows with the size. */
@NullMarked
package palmares.bench.read;

import org.jspecify.annotations.NullMarked;
