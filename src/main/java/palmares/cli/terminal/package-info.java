/**
 * The terminal of a command: results go to standard output, notes, progress and errors to standard
 * error.
 */
@NullMarked
package palmares.cli.terminal;

import org.jspecify.annotations.NullMarked;
