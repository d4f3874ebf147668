/** The commands, called as a shell calls them, in this process. */
@NullMarked
package palmares.cli;

import org.jspecify.annotations.NullMarked;
