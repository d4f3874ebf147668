package palmares.operations.report;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to close a period, as its record stands.
 *
 * @param stack the stack of the exception that it failed of; null if it did not fail
 * @param note what a reader of the period should know; null if there is nothing
 */
public record RunSummary(
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
    @Nullable String stack,
    @Nullable String note) {}
