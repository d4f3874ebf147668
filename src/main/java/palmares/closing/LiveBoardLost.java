package palmares.closing;

import palmares.period.Period;

/** A live board that was made is not in Redis any more: the period cannot be settled from it. */
public final class LiveBoardLost extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LiveBoardLost(Period period) {
    super(
        "the live board of %s is gone from Redis; nobody is paid until it is there again"
            .formatted(period.label()));
  }
}
