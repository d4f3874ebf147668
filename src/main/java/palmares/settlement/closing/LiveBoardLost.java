package palmares.settlement.closing;

import palmares.period.Period;

/** A live board that was made is not in Redis any more: the period cannot be settled from it. */
public final class LiveBoardLost extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private LiveBoardLost(String message) {
    super(message);
  }

  static LiveBoardLost ours(Period period) {
    return new LiveBoardLost(
        ("the live board of %s is gone from Redis; nobody is paid until 'palmares rebuild %s' has"
                + " made it anew")
            .formatted(period.label(), period.label()));
  }

  static LiveBoardLost adopted(Period period) {
    return new LiveBoardLost(
        ("the keys of the adopted board %s were seen, and are gone from Redis; nobody is paid until"
                + " they are there again")
            .formatted(period.label()));
  }
}
