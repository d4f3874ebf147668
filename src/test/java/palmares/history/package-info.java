/** How histories are read, byte by byte. */
@NullMarked
package palmares.history;

import org.jspecify.annotations.NullMarked;
