/**
 * What people do with settled periods: late events, amendments, explanations, reports, archive,
 * Redis memory and the rebuild of live boards.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform", "rules", "period", "live", "settlement"})
package palmares.operations;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
