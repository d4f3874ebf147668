package palmares.live.board;

import palmares.period.Period;

/**
 * What a live journal holds, most of which PostgreSQL does not have yet.
 *
 * @param entries how many; at least 1
 * @param first the number of the oldest
 */
public record JournalBacklog(Period period, long entries, long first) {}
