/** Measures several machines: boards over a cluster, closings over schedulers, and slices. */
@NullMarked
package palmares.bench.nodes;

import org.jspecify.annotations.NullMarked;
