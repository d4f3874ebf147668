/** The files in {@code src/deploy}, as an operator uses them. */
@NullMarked
package palmares.deploy;

import org.jspecify.annotations.NullMarked;
