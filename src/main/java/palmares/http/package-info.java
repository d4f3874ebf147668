/**
 * What the HTTP doors share: every problem that they answer with, by its own type, and how
 * addresses are read.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"board", "live", "relay", "intake"})
package palmares.http;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
