/**
 * The command line: the same operations for shells and runbooks as the other doors offer. {@code
 * terminal} is what commands say and how, {@code launch} how they start the application.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "time",
      "calendar",
      "board",
      "form",
      "catalogue",
      "period",
      "exclusion",
      "live",
      "intake",
      "history",
      "closing",
      "outbox",
      "memory",
      "archive",
      "nightly",
      "journal",
      "rebuild",
      "correction",
      "explain",
      "report",
      "audit",
      "writer",
      "bench",
      "bench :: close",
      "bench :: page",
      "bench :: read",
      "bench :: small",
      "bench :: start",
      "bench :: write",
      "demo",
      "embedded"
    })
package palmares.cli;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
