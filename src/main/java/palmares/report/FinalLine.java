package palmares.report;

import java.time.Instant;

/**
 * One member's final line in a settled period.
 *
 * @param place position in the one exact order, from 1
 * @param rank what the board's rank method makes of it
 * @param credits what the ledger has paid for it
 */
public record FinalLine(
    String period,
    long place,
    long rank,
    String member,
    long points,
    Instant reachedAt,
    long credits) {}
