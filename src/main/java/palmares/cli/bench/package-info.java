/** The commands that measure. */
@NullMarked
package palmares.cli.bench;

import org.jspecify.annotations.NullMarked;
