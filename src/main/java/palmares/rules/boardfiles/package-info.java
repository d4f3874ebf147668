/**
 * Reads the boards from {@code jobs/*.yml} and checks them; each fault is reported with its line.
 * Also generates the JSON Schema of these files, and describes boards on a terminal.
 */
@NullMarked
package palmares.rules.boardfiles;

import org.jspecify.annotations.NullMarked;
