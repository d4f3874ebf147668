/**
 * Starts the application for a command, with the options that all commands share. Board files are
 * checked before any server starts, and a failure is reported in one sentence.
 */
@NullMarked
package palmares.cli.launch;

import org.jspecify.annotations.NullMarked;
