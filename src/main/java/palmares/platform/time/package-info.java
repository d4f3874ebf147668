/** Provides the application's only clock: the database server's, or one that tests and demo set. */
@NullMarked
package palmares.platform.time;

import org.jspecify.annotations.NullMarked;
