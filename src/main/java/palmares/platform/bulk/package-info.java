/** Loads many rows into a table by COPY, in the current transaction; runs tasks in parallel. */
@NullMarked
package palmares.platform.bulk;

import org.jspecify.annotations.NullMarked;
