package palmares.rules.board;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A member's points on a board in a period, with what breaks ties.
 *
 * @param thenBy the second key; 0 on boards without one
 * @param arrival the number of the event that reached the points, if arrivals break ties; else 0
 * @param reachedAt when the points were reached, truncated to the board's resolution; null if
 *     arrivals break ties
 */
public record MemberScore(
    String member, long points, long thenBy, long arrival, @Nullable Instant reachedAt) {}
