/**
 * Work that a server does all the time: loops that survive whatever fails in them, their metrics
 * and health, and one log line for each outage of a server.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package palmares.background;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
