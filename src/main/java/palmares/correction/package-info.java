/**
 * Why a settled period's line may be another than the snapshot's: events that came late and are
 * accepted, and points put right by hand. Each stands in an amendment's revision, for ever.
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {"calendar", "adoption", "board", "act", "period", "revision"})
package palmares.correction;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
