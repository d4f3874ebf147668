package palmares.live.board;

import palmares.platform.Refusal;

/**
 * Reports that a live board takes no events at present. The caller may retry later; some of its
 * events may have been taken.
 */
public final class LiveBoardUnavailable extends Refusal {
  private LiveBoardUnavailable(Reason reason, String message) {
    super(reason, message);
  }

  static LiveBoardUnavailable rebuilding(LiveKeys keys) {
    return new LiveBoardUnavailable(
        Reason.REBUILDING, rebuildingSentence(keys.board() + " " + keys.period()));
  }

  /** Says that the live board of a period, as in {@code invites 2026-W43}, is halted. */
  public static String rebuildingSentence(String label) {
    return ("the live board of %1$s is being rebuilt; if the rebuild was interrupted, run"
            + " 'palmares rebuild %1$s' again")
        .formatted(label);
  }

  static LiveBoardUnavailable halted(LiveKeys keys, Halt halt) {
    return new LiveBoardUnavailable(
        halt.reason(), halt.sentence(keys.board() + " " + keys.period()));
  }

  static LiveBoardUnavailable backlog(LiveKeys keys, long most) {
    return new LiveBoardUnavailable(
        Reason.BACKLOG,
        ("the journal of %s %s holds %d events that PostgreSQL does not have yet, the limit; no"
                + " more events are taken until it is drained")
            .formatted(keys.board(), keys.period(), most));
  }

  static LiveBoardUnavailable forgotten(LiveKeys keys) {
    return new LiveBoardUnavailable(
        Reason.DATABASE_UNAVAILABLE,
        ("the live board of %s %s has trimmed the ids of events that PostgreSQL does not have: a"
                + " repeat could count twice, so no events are taken; restore PostgreSQL to a later"
                + " point")
            .formatted(keys.board(), keys.period()));
  }
}
