/**
 * The one clock that everything asks: the database server's, or one that a test or the demo moves.
 */
@NullMarked
package palmares.platform.time;

import org.jspecify.annotations.NullMarked;
