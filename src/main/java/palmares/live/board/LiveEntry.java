package palmares.live.board;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A decided event of a period.
 *
 * @param seq its number; a board's events count from 1 without gaps
 * @param points the points that it gave, or took back if negative
 * @param value its value; null if points add up
 * @param thenBy the amount of the second key that it gave, or took back if negative
 * @param digest distinguishes a repeat from another event with the same id; null if not known
 */
public record LiveEntry(
    long seq,
    String id,
    String member,
    String action,
    @Nullable String subject,
    Verdict outcome,
    long quantity,
    long points,
    @Nullable Long value,
    long thenBy,
    @Nullable String digest,
    Instant occurredAt) {}
