package palmares.operations.report;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One outcome of a period, as people see it.
 *
 * @param outcome its id among all outcomes, by which its lines and payments are read
 * @param base the revision that it amends; null for the first
 * @param status stands, superseded, approved, rejected, waits or computed
 * @param reason why it was made; null for the first
 * @param heldFor why it waits for a person; empty if it need not
 * @param decidedBy null if nobody has decided
 * @param postedAt when it was paid; null before
 */
public record RevisionSummary(
    int outcome,
    int revision,
    @Nullable Integer base,
    String status,
    @Nullable String reason,
    String preparedBy,
    Instant preparedAt,
    String heldFor,
    @Nullable String decidedBy,
    @Nullable Instant decidedAt,
    @Nullable String verdictReason,
    @Nullable Instant postedAt) {}
