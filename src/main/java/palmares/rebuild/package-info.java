/**
 * Makes a live board anew from the events that PostgreSQL has of it: each is decided again, and
 * must come out as it did.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "calendar",
      "board",
      "period",
      "live",
      "relay",
      "journal",
      "standing",
      "act"
    })
package palmares.rebuild;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
