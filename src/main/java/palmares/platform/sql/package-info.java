/**
 * Runs statements with the domain's types as parameters and rows, and reads SQL from files, so that
 * long statements can be read and run as SQL. Finds what makes PostgreSQL refuse writes or lose
 * sessions.
 */
@NullMarked
package palmares.platform.sql;

import org.jspecify.annotations.NullMarked;
