package palmares.report;

import java.time.Instant;

/**
 * One member's final line in a settled period.
 *
 * @param place position in the one exact order, from 1
 * @param rank what the board's rank method makes of it
 * @param thenBy the second key; 0 on boards without one
 * @param credits what the ledger has paid for it
 */
public record FinalLine(
    String period,
    long place,
    long rank,
    String member,
    long points,
    long thenBy,
    Instant reachedAt,
    long credits) {}
