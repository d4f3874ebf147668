/** Palmares settles leaderboards. This package starts the application; chapters hold the rest. */
@NullMarked
package palmares;

import org.jspecify.annotations.NullMarked;
