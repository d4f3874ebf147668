/** Palmares settles leaderboards: the application itself, everything else lives in a feature. */
@NullMarked
package palmares;

import org.jspecify.annotations.NullMarked;
