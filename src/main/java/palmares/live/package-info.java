/** The Redis side: keys, scripts and queries of live boards. Nothing else talks to Redis. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "background",
      "time",
      "calendar",
      "adoption",
      "board",
      "period",
      "exclusion"
    })
package palmares.live;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
