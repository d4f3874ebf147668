/** Writes rows as tables for people, as CSV or as JSON, from one definition of their columns. */
@NullMarked
package palmares.platform.output;

import org.jspecify.annotations.NullMarked;
