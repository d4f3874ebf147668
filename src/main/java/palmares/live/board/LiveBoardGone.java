package palmares.live.board;

import palmares.period.Period;

/** Redis has lost a live board: nothing is taken for it, since points before the loss count too. */
public final class LiveBoardGone extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LiveBoardGone(Period period) {
    super(
        ("the live board of %s is gone from Redis; the period takes events again once"
                + " 'palmares rebuild %s' has made it anew")
            .formatted(period.label(), period.label()));
  }
}
