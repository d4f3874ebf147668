/**
 * Defines adopted boards, which another program writes into Redis: their keys, and the encodings of
 * points and times in their scores. Contains values and pure functions only.
 */
@NullMarked
package palmares.rules.adoption;

import org.jspecify.annotations.NullMarked;
