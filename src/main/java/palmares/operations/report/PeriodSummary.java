package palmares.operations.report;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * A period as people see it.
 *
 * @param closesAt when it is due; null if it never closes
 * @param members how many stood on it at the seal; null before
 * @param settledAt since when it is final; null if it is not
 */
public record PeriodSummary(
    BoardId board,
    PeriodName name,
    String state,
    Instant startsAt,
    Instant endsAt,
    @Nullable Instant closesAt,
    @Nullable Long members,
    @Nullable Instant settledAt) {

  /** As messages name it: {@code invites 2026-W47}. */
  public String label() {
    return board + " " + name;
  }
}
