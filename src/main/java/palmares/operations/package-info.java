/**
 * Serves operators: tasks, late events, amendments, batches, explanations, reports, archives,
 * memory use of Redis, and the rebuild of live boards.
 */
@NullMarked
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"platform", "rules", "period", "live", "settlement"})
package palmares.operations;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
