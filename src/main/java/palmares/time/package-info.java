/**
 * The one clock that everything asks: the database server's, or one that a test or the demo moves.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package palmares.time;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
