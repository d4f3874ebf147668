/** Many rows into one table by COPY, in the transaction that is under way. */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package palmares.bulk;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
