/** The HTTP door: takes events from those who hold an API key, and answers live-board queries. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "time",
      "calendar",
      "board",
      "catalogue",
      "period",
      "live",
      "intake",
      "report"
    })
package palmares.writer;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
