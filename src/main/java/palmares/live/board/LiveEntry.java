package palmares.live.board;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One decided event in a live board's journal.
 *
 * @param seq counts the board's events from 1, without gaps
 * @param points what it gave, or took if negative
 * @param value what its sender gave as its value; null where points add up
 * @param thenBy what it brought of the second key, or took back if negative
 * @param digest of what its sender told; null if it is not known
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
