package palmares.live.board;

import palmares.period.Period;

/** Thrown when Redis has lost a live board. It takes no events until it is rebuilt. */
public final class LiveBoardGone extends RuntimeException {
  LiveBoardGone(Period period) {
    super(
        ("the live board of %s is gone from Redis; the period takes no events until"
                + " 'palmares rebuild %s' has rebuilt it")
            .formatted(period.label(), period.label()));
  }
}
