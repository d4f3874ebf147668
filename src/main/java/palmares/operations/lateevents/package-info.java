/**
 * Why a settled period's line may be another than the snapshot's: events that came late and are
 * accepted, and points put right by hand. Each stands in an amendment's revision, for ever.
 */
@NullMarked
package palmares.operations.lateevents;

import org.jspecify.annotations.NullMarked;
