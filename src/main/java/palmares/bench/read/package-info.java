/** Measures looks at live boards, and how their time grows with the boards. */
@NullMarked
@NamedInterface("read")
package palmares.bench.read;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
