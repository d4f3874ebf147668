package palmares.live.board;

/**
 * A live board takes no events for a while: try again later. Some of those that were asked for may
 * have been taken.
 */
public final class LiveBoardHeld extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Why why;

  /** What it waits for. */
  public enum Why {
    /** It is being made anew from its journal. */
    REBUILDING,
    /** PostgreSQL, which must take some of the journal first. */
    BACKLOG,
    /** PostgreSQL, which lacks events whose ids Redis has forgotten. */
    FORGOTTEN
  }

  private LiveBoardHeld(Why why, String message) {
    super(message);
    this.why = why;
  }

  static LiveBoardHeld rebuilding(LiveKeys keys) {
    return new LiveBoardHeld(
        Why.REBUILDING,
        ("the live board of %s %s is being made anew from its journal; if that broke off, run"
                + " 'palmares rebuild %s %s' again")
            .formatted(keys.board(), keys.period(), keys.board(), keys.period()));
  }

  static LiveBoardHeld backlog(LiveKeys keys, long most) {
    return new LiveBoardHeld(
        Why.BACKLOG,
        ("the journal of %s %s holds %d events that PostgreSQL does not have yet, as many as it"
                + " may: nothing more is taken until it is drained")
            .formatted(keys.board(), keys.period(), most));
  }

  static LiveBoardHeld forgotten(LiveKeys keys) {
    return new LiveBoardHeld(
        Why.FORGOTTEN,
        ("the live board of %s %s has forgotten the ids of events that PostgreSQL does not have: a"
                + " repeat could count twice, so nothing is taken; restore PostgreSQL to a later"
                + " point")
            .formatted(keys.board(), keys.period()));
  }

  public Why why() {
    return why;
  }
}
