/**
 * Runs PostgreSQL and Redis from Maven artifacts in a data folder, which one process owns and other
 * processes of the same machine may share. Depends on no Spring.
 */
@NullMarked
package palmares.platform.embedded;

import org.jspecify.annotations.NullMarked;
