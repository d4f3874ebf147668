package palmares.operations.rebuild;

import palmares.live.board.Decision;
import palmares.live.board.LiveEntry;
import palmares.period.Period;

/**
 * Thrown if a replayed event has another result than before: the journal was changed, or lacks
 * events. The live board stays halted, and nobody is paid.
 */
public final class ReplayDiffers extends RuntimeException {
  private ReplayDiffers(String message) {
    super(message);
  }

  static ReplayDiffers at(Period period, LiveEntry event, Decision again) {
    return new ReplayDiffers(
        "event %d of %s, '%s' by %s, was %s with %+d points, but is now %s with %+d: %s"
            .formatted(
                event.seq(),
                period.label(),
                event.id(),
                event.member(),
                event.outcome().word(),
                event.points(),
                again.verdict().word(),
                again.change(),
                "the journal in PostgreSQL has been changed"));
  }

  static ReplayDiffers lacking(Period period, long seq) {
    return new ReplayDiffers(
        "the journal of %s in PostgreSQL lacks event %d".formatted(period.label(), seq));
  }
}
