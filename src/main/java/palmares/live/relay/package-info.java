/**
 * Events that are acknowledged once PostgreSQL has them. They are committed in groups, and relayed
 * to their live boards in order until they are applied, even if Redis or processes fail meanwhile.
 */
@NullMarked
package palmares.live.relay;

import org.jspecify.annotations.NullMarked;
