/** Verifies once a night, in one process of the cluster, what was settled or amended lately. */
@NullMarked
package palmares.settlement.nightly;

import org.jspecify.annotations.NullMarked;
