/**
 * Real PostgreSQL and Redis from Maven artifacts, kept in one data folder that one process owns and
 * others of the same machine may use beside it. Knows no board and no Spring.
 */
@NullMarked
package palmares.platform.embedded;

import org.jspecify.annotations.NullMarked;
