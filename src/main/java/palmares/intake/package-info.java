/**
 * Takes events: reads them, finds their boards and periods, applies them to the live boards and
 * says what became of each. The doors, HTTP and import, only bring them.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "time",
      "calendar",
      "adoption",
      "board",
      "catalogue",
      "period",
      "live",
      "relay",
      "journal"
    })
package palmares.intake;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
