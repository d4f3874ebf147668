/** Read-only answers over the report views, and the verification that derives them anew. */
@NullMarked
@ApplicationModule(allowedDependencies = {"time", "calendar", "board", "catalogue", "period"})
package palmares.report;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
