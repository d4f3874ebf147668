package palmares.live.board;

/**
 * Thrown when a live board takes no events at present. The caller may retry later; some of its
 * events may have been taken.
 */
public final class LiveBoardUnavailable extends RuntimeException {
  private final Why why;

  /** Why a live board takes no events. */
  public enum Why {
    /** The board is being rebuilt from its journal. */
    REBUILDING,
    /** The journal is full until it is drained into PostgreSQL. */
    BACKLOG,
    /** PostgreSQL lacks events whose ids Redis has trimmed. */
    FORGOTTEN
  }

  private LiveBoardUnavailable(Why why, String message) {
    super(message);
    this.why = why;
  }

  static LiveBoardUnavailable rebuilding(LiveKeys keys) {
    return new LiveBoardUnavailable(
        Why.REBUILDING,
        ("the live board of %s %s is being rebuilt; if the rebuild was interrupted, run"
                + " 'palmares rebuild %s %s' again")
            .formatted(keys.board(), keys.period(), keys.board(), keys.period()));
  }

  static LiveBoardUnavailable backlog(LiveKeys keys, long most) {
    return new LiveBoardUnavailable(
        Why.BACKLOG,
        ("the journal of %s %s holds %d events that PostgreSQL does not have yet, the limit; no"
                + " more events are taken until it is drained")
            .formatted(keys.board(), keys.period(), most));
  }

  static LiveBoardUnavailable forgotten(LiveKeys keys) {
    return new LiveBoardUnavailable(
        Why.FORGOTTEN,
        ("the live board of %s %s has trimmed the ids of events that PostgreSQL does not have: a"
                + " repeat could count twice, so no events are taken; restore PostgreSQL to a later"
                + " point")
            .formatted(keys.board(), keys.period()));
  }

  public Why why() {
    return why;
  }
}
