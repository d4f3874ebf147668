/**
 * The outcomes of a period: the first closing's and those that amend it, who prepared each, and who
 * decided on it.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"board", "payout", "period"})
package palmares.revision;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
