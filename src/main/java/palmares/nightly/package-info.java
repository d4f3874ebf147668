/**
 * Verifies each night, once in the whole cluster, what was settled or amended lately, and keeps
 * what was found.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"period", "audit"})
package palmares.nightly;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
