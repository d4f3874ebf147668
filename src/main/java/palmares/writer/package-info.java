/**
 * The HTTP door for those who hold an API key: takes events and registrations, and tells about
 * members.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"calendar", "board", "intake", "member", "http"})
package palmares.writer;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
