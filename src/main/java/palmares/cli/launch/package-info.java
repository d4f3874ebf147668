/**
 * Starts the application for a command: with the options that all commands share, the boards read
 * and checked before any server is, and whatever goes wrong told in a sentence.
 */
@NullMarked
package palmares.cli.launch;

import org.jspecify.annotations.NullMarked;
