/** Measures looks at live boards, and how their time grows with the boards. */
@NullMarked
package palmares.bench.read;

import org.jspecify.annotations.NullMarked;
