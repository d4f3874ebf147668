/**
 * Defines boards, members, points, and the encoding of points and ties in a Redis score. Contains
 * values and pure functions only.
 */
@NullMarked
package palmares.rules.board;

import org.jspecify.annotations.NullMarked;
