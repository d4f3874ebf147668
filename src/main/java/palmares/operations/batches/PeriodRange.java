package palmares.operations.batches;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.platform.Refusal;
import palmares.platform.Refusal.Reason;
import palmares.rules.board.BoardId;

/**
 * Selects periods; refuses a range that ends before it begins.
 *
 * @param board null for all boards
 * @param from the periods that start then or later; null for no limit
 * @param to the periods that start before; null for no limit
 * @param state only those in this state, or {@code failed} for those whose last closing failed;
 *     null for all that the verb can change
 */
public record PeriodRange(
    @Nullable BoardId board, @Nullable Instant from, @Nullable Instant to, @Nullable String state) {
  public PeriodRange {
    if (from != null && to != null && !from.isBefore(to)) {
      throw new Refusal(
          Reason.INVALID_FIELD, "the range ends at %s, before its start %s".formatted(to, from));
    }
  }

  /** The range in words. */
  String words() {
    return (board == null ? "all boards" : board.value())
        + (from == null ? "" : " from " + from)
        + (to == null ? "" : " to " + to)
        + (state == null ? "" : " state " + state);
  }
}
