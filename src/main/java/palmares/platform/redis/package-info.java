/**
 * The Redis client: pipelined commands, Lua scripts, and paged reads of big keys. Translates every
 * failure of Redis into {@link palmares.platform.redis.RedisUnavailable}.
 */
@NullMarked
package palmares.platform.redis;

import org.jspecify.annotations.NullMarked;
