/**
 * Knows the servers of an installation by their heartbeats, and whether PostgreSQL and Redis answer
 * this one and take its writes.
 */
@NullMarked
package palmares.platform.nodes;

import org.jspecify.annotations.NullMarked;
