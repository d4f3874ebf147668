/** What people read on a terminal. */
@NullMarked
package palmares.cli.terminal;

import org.jspecify.annotations.NullMarked;
