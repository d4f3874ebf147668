package palmares.live;

import java.time.Instant;

/**
 * One line of a live board.
 *
 * @param place position in the one exact order, from 1
 * @param rank what the board's rank method makes of it
 */
public record LiveLine(long place, long rank, String member, long points, Instant reachedAt) {}
