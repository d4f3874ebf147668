/** Live boards in Redis: their keys, Lua scripts, journals and queries. */
@NullMarked
package palmares.live.board;

import org.jspecify.annotations.NullMarked;
