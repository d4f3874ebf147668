/**
 * Work that a server does all the time: loops that survive whatever fails in them, their metrics
 * and health, and one log line for each outage of a server.
 */
@NullMarked
package palmares.platform.threads;

import org.jspecify.annotations.NullMarked;
