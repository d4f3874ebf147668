/**
 * From a sealed live board to posted payments: lines, rewards, outcomes, manifest, verification,
 * closing jobs, nightly verification and the outbox.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform", "rules", "period", "live"})
package palmares.settlement;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
