/** Writes the results of commands as tables, CSV, JSON or XLSX, to standard output or to a file. */
@NullMarked
package palmares.cli.output;

import org.jspecify.annotations.NullMarked;
