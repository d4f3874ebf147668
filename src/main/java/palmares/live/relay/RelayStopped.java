package palmares.live.relay;

import palmares.live.board.Verdict;
import palmares.period.Period;

/** Thrown when a live board does not take a committed event; the period cannot be sealed yet. */
public final class RelayStopped extends RuntimeException {
  RelayStopped(Period period, Verdict verdict) {
    super(
        "%s has committed events that its live board does not take: it answers '%s'"
            .formatted(period.label(), verdict.word()));
  }
}
