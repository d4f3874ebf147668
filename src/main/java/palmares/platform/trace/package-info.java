/** Traces requests, closings and deliveries by Micrometer's observations, if tracing is enabled. */
@NullMarked
package palmares.platform.trace;

import org.jspecify.annotations.NullMarked;
