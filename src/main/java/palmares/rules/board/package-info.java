/**
 * The vocabulary of leaderboards: boards and their rules, members, points, credits, and the one
 * packed score that puts points and time in order. Pure values, no input or output.
 */
@NullMarked
package palmares.rules.board;

import org.jspecify.annotations.NullMarked;
