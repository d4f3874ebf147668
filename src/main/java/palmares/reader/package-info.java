/**
 * The HTTP door for readers: what stands on a board. {@code lines} are a period's lines, live or
 * settled; {@code stream} pushes the best of them as they change.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "background",
      "calendar",
      "board",
      "catalogue",
      "period",
      "live",
      "intake",
      "report",
      "member",
      "http"
    })
package palmares.reader;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
