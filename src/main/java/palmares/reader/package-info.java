/** The HTTP door for readers: what stands on a board, live or settled. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "calendar",
      "board",
      "catalogue",
      "period",
      "live",
      "intake",
      "report",
      "http"
    })
package palmares.reader;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
