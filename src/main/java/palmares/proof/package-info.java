/** What each posted outcome rests on, written down with it and never edited: its manifest. */
@NullMarked
@ApplicationModule(allowedDependencies = {"calendar", "board", "payout", "period", "revision"})
package palmares.proof;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
