/**
 * Runs PostgreSQL and Redis from Maven artifacts in a data folder, which one process at a time
 * owns. Depends on no Spring.
 */
@NullMarked
package palmares.platform.embedded;

import org.jspecify.annotations.NullMarked;
