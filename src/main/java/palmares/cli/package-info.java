/** The command line: the same operations for shells and runbooks as the other doors offer. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "time",
      "calendar",
      "board",
      "form",
      "catalogue",
      "period",
      "intake",
      "history",
      "closing",
      "report",
      "audit",
      "writer",
      "demo",
      "embedded",
      "terminal",
      "launch"
    })
package palmares.cli;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
