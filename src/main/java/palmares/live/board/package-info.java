/** The Redis side: keys, scripts and queries of live boards. Nothing else talks to Redis. */
@NullMarked
package palmares.live.board;

import org.jspecify.annotations.NullMarked;
