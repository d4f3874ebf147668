/**
 * Tells others what was settled, amended and paid: a signed webhook, a Redis stream. At least once,
 * in order, each fact under an id by which a repeat is known.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"background", "board", "period", "live"})
package palmares.outbox;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
