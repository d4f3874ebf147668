/**
 * Runs background loops that survive every failure, with their metrics and health check, and logs
 * one line for each outage of a server. Traces requests, closings and deliveries by Micrometer's
 * observations, if tracing is enabled.
 */
@NullMarked
package palmares.platform.threads;

import org.jspecify.annotations.NullMarked;
