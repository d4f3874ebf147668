/** Work that a server does all the time, beside what it is asked for. */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package palmares.background;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
