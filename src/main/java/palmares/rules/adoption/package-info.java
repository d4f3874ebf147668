/**
 * Boards that a team's own program writes into Redis: which keys it writes, how points and time
 * stand in them, and what of it can be told apart. Pure values, no input or output.
 */
@NullMarked
package palmares.rules.adoption;

import org.jspecify.annotations.NullMarked;
