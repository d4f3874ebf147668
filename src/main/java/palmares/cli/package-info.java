/**
 * The command line: the same operations for shells and runbooks as the other doors offer. {@code
 * terminal} is what commands say and how, {@code launch} how they start the application.
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
