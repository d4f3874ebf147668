/**
 * Events that are acknowledged when PostgreSQL has them: committed in groups, relayed to their live
 * boards in order until they are applied, however often Redis or a process goes away meanwhile.
 */
@NullMarked
package palmares.live.relay;

import org.jspecify.annotations.NullMarked;
