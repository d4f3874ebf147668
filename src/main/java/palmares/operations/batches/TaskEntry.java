package palmares.operations.batches;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.operations.tasks.Task;
import palmares.platform.text.Sentence;

/**
 * A task in the list of all.
 *
 * @param board null if it concerns no single one
 * @param period null if it concerns no single one
 * @param target what the person named; null for a task without items
 * @param endedAt null while it runs
 * @param counts of its items
 */
public record TaskEntry(
    long id,
    String verb,
    @Nullable String board,
    @Nullable String period,
    @Nullable Sentence target,
    Task.State state,
    String by,
    String reason,
    Instant startedAt,
    @Nullable Instant endedAt,
    Batch.Counts counts) {}
