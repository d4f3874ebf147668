/**
 * The command line. Each command is a class; {@code terminal} is the process's terminal, {@code
 * launch} starts the application.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {
      "platform",
      "rules",
      "period",
      "live",
      "settlement",
      "operations",
      "api",
      "demo"
    })
package palmares.cli;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
