package palmares.period;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.Slot;

/**
 * A period's row was created or, before the period began, moved. Published in the same transaction.
 *
 * @param closesAt when it becomes due; null if it never closes
 * @param moved whether the row existed before
 */
public record PeriodOpened(BoardId board, Slot slot, @Nullable Instant closesAt, boolean moved) {}
