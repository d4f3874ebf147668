/** Tests of reading histories. */
@NullMarked
package palmares.live.history;

import org.jspecify.annotations.NullMarked;
