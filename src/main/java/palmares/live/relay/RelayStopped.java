package palmares.live.relay;

import palmares.live.board.Verdict;
import palmares.period.Period;

/** A live board did not take a committed event: it waits, and the period cannot be sealed. */
public final class RelayStopped extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RelayStopped(Period period, Verdict verdict) {
    super(
        "%s has committed events that its live board does not take, but answers '%s'"
            .formatted(period.label(), verdict.word()));
  }
}
