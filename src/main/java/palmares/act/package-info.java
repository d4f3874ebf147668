/** The record of what people did that changes what is paid or shown: name, time and reason. */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package palmares.act;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
