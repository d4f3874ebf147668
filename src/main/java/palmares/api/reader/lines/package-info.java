/** Reads the lines of a period from Redis or, once it is settled, from PostgreSQL. */
@NullMarked
package palmares.api.reader.lines;

import org.jspecify.annotations.NullMarked;
