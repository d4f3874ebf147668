package palmares.live;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One decided event in a live board's journal.
 *
 * @param seq counts the board's events from 1, without gaps
 * @param points what it gave, or took if negative
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
    Instant occurredAt) {}
