/** Says what other reward rules would have cost over settled periods. Writes nothing. */
@NullMarked
package palmares.operations.replay;

import org.jspecify.annotations.NullMarked;
