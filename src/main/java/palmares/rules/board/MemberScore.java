package palmares.rules.board;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a member holds on a board in a period.
 *
 * @param thenBy the second key; 0 on boards without one
 * @param arrival the number of the event that brought it, where arrivals break ties; else 0
 * @param reachedAt when it came to hold it, cut to the board's resolution; null where arrivals
 *     break ties
 */
public record MemberScore(
    String member, long points, long thenBy, long arrival, @Nullable Instant reachedAt) {}
