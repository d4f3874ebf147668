package palmares.settlement.closing;

import palmares.period.Period;

/** A live board that existed is missing in Redis, so its period cannot be settled. */
public final class LiveBoardLost extends RuntimeException {
  private LiveBoardLost(String message) {
    super(message);
  }

  static LiveBoardLost ours(Period period) {
    return new LiveBoardLost(
        ("the live board of %1$s is gone from Redis; nobody is paid until 'palmares rebuild %1$s'"
                + " has restored it")
            .formatted(period.label()));
  }

  static LiveBoardLost adopted(Period period) {
    return new LiveBoardLost(
        ("the keys of the adopted board %s were seen, and are gone from Redis; nobody is paid until"
                + " they are restored")
            .formatted(period.label()));
  }
}
