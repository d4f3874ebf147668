package palmares.operations.rebuild;

import palmares.live.board.Decision;
import palmares.live.board.LiveEntry;
import palmares.period.Period;

/**
 * An event of the journal did not come out as it did at first: the journal was changed, or lacks
 * events. The live board stays halted, and nobody is paid from it.
 */
public final class ReplayDiffers extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private ReplayDiffers(String message) {
    super(message);
  }

  static ReplayDiffers at(Period period, LiveEntry event, Decision again) {
    return new ReplayDiffers(
        "event %d of %s, '%s' by %s, was %s with %+d points, and now is %s with %+d: %s"
            .formatted(
                event.seq(),
                period.label(),
                event.id(),
                event.member(),
                event.outcome().word(),
                event.points(),
                again.verdict().word(),
                again.change(),
                "the journal in PostgreSQL is not as it was written"));
  }

  static ReplayDiffers lacking(Period period, long seq) {
    return new ReplayDiffers(
        "the journal of %s in PostgreSQL lacks event %d".formatted(period.label(), seq));
  }
}
