package palmares.live.intake;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * The outcome of an event.
 *
 * @param id the event's; null if it could not be read
 * @param reason why it was late or refused; else null
 * @param said why; null if there is no reason
 * @param boards the outcome on each of its boards
 */
public record EventOutcome(
    @Nullable String id,
    Kind kind,
    @Nullable RefusalReason reason,
    @Nullable Sentence said,
    List<OnBoard> boards) {
  /** The kinds of outcome. The kind of an event is the best of its boards. */
  public enum Kind implements Choice {
    APPLIED(1),
    UNDONE(2),
    /** The event is committed, and counts as soon as it is relayed to its live board. */
    ACCEPTED(3),
    /** The event was decided before; nothing changed. */
    DUPLICATE(4),
    /** The event came after the grace, and is stored as a late event. */
    LATE(5),
    /** The event changed nothing; the reason says why. */
    REFUSED(6);

    private final int preference;

    /**
     * @param preference the lowest is the best
     */
    Kind(int preference) {
      this.preference = preference;
    }
  }

  /**
   * The outcome of an event on one board.
   *
   * @param period the period that it counts in, or would have; null if there is none
   * @param change the points that it gave, or took back if negative
   * @param points the member's points after it; null if they are no longer known
   */
  public record OnBoard(
      BoardId board,
      @Nullable PeriodName period,
      Kind kind,
      @Nullable RefusalReason reason,
      @Nullable Sentence said,
      long change,
      @Nullable Long points) {
    static OnBoard refused(BoardId board, @Nullable PeriodName period, EventRefusal refusal) {
      Kind kind = refusal.reason() == RefusalReason.LATE ? Kind.LATE : Kind.REFUSED;
      return new OnBoard(board, period, kind, refusal.reason(), refusal.said(), 0, null);
    }

    /** The repeat of a refused event is no better than a refusal. */
    private Kind comparedAs() {
      return kind == Kind.DUPLICATE && reason != null ? Kind.REFUSED : kind;
    }
  }

  /** Returns the outcome of an event that reached no board. */
  public static EventOutcome refused(@Nullable String id, EventRefusal refusal) {
    return new EventOutcome(id, Kind.REFUSED, refusal.reason(), refusal.said(), List.of());
  }

  static EventOutcome of(String id, List<OnBoard> boards) {
    OnBoard best =
        boards.stream()
            .min(Comparator.comparingInt(on -> on.comparedAs().preference))
            .orElseThrow(() -> new IllegalArgumentException("no board"));
    return new EventOutcome(id, best.kind(), best.reason(), best.said(), boards);
  }
}
