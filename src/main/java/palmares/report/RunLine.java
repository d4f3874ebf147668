package palmares.report;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to close a period, as its record stands.
 *
 * @param note what a reader of the period should know; null if there is nothing
 */
public record RunLine(
    long id,
    String board,
    String period,
    String cause,
    String owner,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String step,
    String outcome,
    @Nullable String failure,
    @Nullable String note) {}
