/** The HTTP door for events: takes them from those who hold an API key. */
@NullMarked
@ApplicationModule(allowedDependencies = {"calendar", "board", "intake", "http"})
package palmares.writer;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
