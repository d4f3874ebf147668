/**
 * The boards that there are: read from {@code jobs/*.yml}, checked, every fault named with its
 * line. Also makes the JSON Schema that editors complete the files by.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"calendar", "adoption", "board", "payout", "form"})
package palmares.catalogue;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
