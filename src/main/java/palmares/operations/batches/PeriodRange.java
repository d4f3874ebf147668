package palmares.operations.batches;

import java.time.Instant;
import java.util.regex.Pattern;
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
 * @param cause only those whose last closing failed for the cause with this code; null for any
 */
public record PeriodRange(
    @Nullable BoardId board,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable String state,
    @Nullable String cause) {
  private static final Pattern CODE = Pattern.compile("[0-9a-f]{8}");

  public PeriodRange {
    if (from != null && to != null && !from.isBefore(to)) {
      throw new Refusal(
          Reason.INVALID_FIELD, "the range ends at %s, not after its start %s".formatted(to, from));
    }
    if (cause != null && !CODE.matcher(cause).matches()) {
      throw new Refusal(
          Reason.INVALID_FIELD,
          "'cause' is the code that 'palmares inbox' shows with failures of one cause, eight"
              + " hexadecimal digits such as 5e6f7a8b, not '%s'".formatted(cause));
    }
  }

  /** Periods that failed for any cause, or did not fail. */
  public PeriodRange(
      @Nullable BoardId board,
      @Nullable Instant from,
      @Nullable Instant to,
      @Nullable String state) {
    this(board, from, to, state, null);
  }

  String words() {
    return (board == null ? "all boards" : board.value())
        + (from == null ? "" : " from " + from)
        + (to == null ? "" : " to " + to)
        + (state == null ? "" : " state " + state)
        + (cause == null ? "" : " cause " + cause);
  }
}
