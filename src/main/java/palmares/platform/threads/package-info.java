/**
 * Runs background loops that survive every failure, with their metrics and health check, and logs
 * one line for each outage of a server.
 */
@NullMarked
package palmares.platform.threads;

import org.jspecify.annotations.NullMarked;
