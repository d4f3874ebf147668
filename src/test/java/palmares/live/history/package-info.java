/** How histories are read, byte by byte. */
@NullMarked
package palmares.live.history;

import org.jspecify.annotations.NullMarked;
