/** Reads SQL from files, so that long statements can be read and run as SQL. */
@NullMarked
package palmares.platform.sql;

import org.jspecify.annotations.NullMarked;
