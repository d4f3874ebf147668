/**
 * The benchmark of Palmares: each figure is compared with the floor of its parts, or with the usual
 * way, measured in the same run on the same machine.
 */
@NullMarked
package palmares.bench;

import org.jspecify.annotations.NullMarked;
