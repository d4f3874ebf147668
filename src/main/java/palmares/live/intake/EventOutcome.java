package palmares.live.intake;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * What became of an event.
 *
 * @param id the event's; null if it could not be read
 * @param reason for a late or refused one, and its detail
 * @param boards what became of it on each board, by board
 */
public record EventOutcome(
    @Nullable String id,
    Kind kind,
    @Nullable RefusalReason reason,
    @Nullable String detail,
    List<OnBoard> boards) {

  /** The best of what became of it on its boards: that of the lowest number. */
  public enum Kind {
    /** It gave points. */
    APPLIED(1),
    /** It took points back. */
    UNDONE(2),
    /** It is committed, and counts as soon as Redis takes it. */
    ACCEPTED(3),
    /** It had been decided before; nothing changed. */
    DUPLICATE(4),
    /** It came too late, and is kept for staff to see. */
    LATE(5),
    /** It changed nothing; the reason says why. */
    REFUSED(6);

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    /** The word in answers. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What became of an event on one board.
   *
   * @param period where it counts, or would have; null if there is none
   * @param change the points that it gave, or took if negative
   * @param points the member's points after it; null where they are not known any more
   */
  public record OnBoard(
      BoardId board,
      @Nullable PeriodName period,
      Kind kind,
      @Nullable RefusalReason reason,
      @Nullable String detail,
      long change,
      @Nullable Long points) {

    static OnBoard refused(BoardId board, @Nullable PeriodName period, Refusal refusal) {
      Kind kind = refusal.reason() == RefusalReason.LATE ? Kind.LATE : Kind.REFUSED;
      return new OnBoard(board, period, kind, refusal.reason(), refusal.detail(), 0, null);
    }

    /** The repeat of a refused event is worth what the first was: no more than another refusal. */
    private Kind worth() {
      return kind == Kind.DUPLICATE && reason != null ? Kind.REFUSED : kind;
    }
  }

  /** An event that no board was asked about. */
  public static EventOutcome refused(@Nullable String id, Refusal refusal) {
    return new EventOutcome(id, Kind.REFUSED, refusal.reason(), refusal.detail(), List.of());
  }

  static EventOutcome of(String id, List<OnBoard> boards) {
    OnBoard best =
        boards.stream()
            .min(Comparator.comparingInt(on -> on.worth().number))
            .orElseThrow(() -> new IllegalArgumentException("no board"));
    return new EventOutcome(id, best.kind(), best.reason(), best.detail(), boards);
  }
}
