/** Writes rows as tables for people, as CSV, JSON or XLSX, from one definition of their columns. */
@NullMarked
package palmares.platform.output;

import org.jspecify.annotations.NullMarked;
