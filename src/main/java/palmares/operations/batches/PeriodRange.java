package palmares.operations.batches;

import static java.time.ZoneOffset.UTC;

import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Fault;
import palmares.platform.text.Sentence;
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
      throw invalid("to", new BatchSentences.EmptyRange(from.atZone(UTC), to.atZone(UTC)));
    }
    if (cause != null && !CODE.matcher(cause).matches()) {
      throw invalid("cause", new BatchSentences.NotACause(cause));
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

  private static Refusal invalid(String field, Sentence said) {
    return new Refusal(Problem.INVALID_FIELD, List.of(Fault.of(field, said)));
  }

  Sentence said() {
    BatchSentences.From start = from == null ? null : new BatchSentences.From(from.atZone(UTC));
    BatchSentences.To end = to == null ? null : new BatchSentences.To(to.atZone(UTC));
    BatchSentences.InState in = state == null ? null : new BatchSentences.InState(state);
    BatchSentences.ForCause why = cause == null ? null : new BatchSentences.ForCause(cause);
    return board == null
        ? new BatchSentences.AllBoards(start, end, in, why)
        : new BatchSentences.OneBoard(board.value(), start, end, in, why);
  }
}
