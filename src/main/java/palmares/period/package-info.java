/**
 * Periods as rows with a state: who opens them, what is due, who holds the lease, and which step
 * from state to state is allowed. The truth that the scheduler and the jobs go by.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"calendar", "board", "catalogue"})
package palmares.period;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
