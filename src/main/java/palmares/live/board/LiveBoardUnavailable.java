package palmares.live.board;

import org.jspecify.annotations.Nullable;
import palmares.period.Repair;
import palmares.platform.Refusal;

/**
 * Reports that a live board takes no events at present. The caller may retry later; some of its
 * events may have been taken.
 */
public final class LiveBoardUnavailable extends Refusal implements Repair.Needed {
  private LiveBoardUnavailable(Reason reason, String message) {
    super(reason, message);
  }

  @Override
  public @Nullable Repair repair() {
    return reason() == Reason.REBUILDING
        ? Repair.REBUILD
        : reason() == Reason.TORN
            ? Repair.REPLACE
            : reason() == Reason.JOURNAL_GAP ? Repair.ACCEPT_LOSS : null;
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
