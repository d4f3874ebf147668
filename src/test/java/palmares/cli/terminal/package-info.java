/** Tests of the terminal. */
@NullMarked
package palmares.cli.terminal;

import org.jspecify.annotations.NullMarked;
