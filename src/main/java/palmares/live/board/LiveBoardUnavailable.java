package palmares.live.board;

import org.jspecify.annotations.Nullable;
import palmares.period.Repair;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;

/**
 * Reports that a live board takes no events at present. The caller may retry later; some of its
 * events may have been taken.
 */
public final class LiveBoardUnavailable extends Refusal implements Repair.Needed {
  private LiveBoardUnavailable(Problem reason, Sentence said, LiveKeys keys) {
    super(reason, said);
    Repair repair = repair();
    if (repair != null) {
      then(repair.next(keys.board(), keys.period()));
    }
  }

  @Override
  public @Nullable Repair repair() {
    return problem() == Problem.REBUILDING
        ? Repair.REBUILD
        : problem() == Problem.TORN
            ? Repair.REPLACE
            : problem() == Problem.JOURNAL_GAP ? Repair.ACCEPT_LOSS : null;
  }

  static LiveBoardUnavailable rebuilding(LiveKeys keys) {
    return new LiveBoardUnavailable(
        Problem.REBUILDING, new LiveSentences.Rebuilding(keys.label()), keys);
  }

  static LiveBoardUnavailable halted(LiveKeys keys, Halt halt) {
    return new LiveBoardUnavailable(halt.reason(), halt.said(keys.label()), keys);
  }

  static LiveBoardUnavailable backlog(LiveKeys keys, long most) {
    return new LiveBoardUnavailable(
        Problem.BACKLOG, new LiveSentences.Backlog(keys.label(), most), keys);
  }

  static LiveBoardUnavailable forgotten(LiveKeys keys) {
    return new LiveBoardUnavailable(
        Problem.DATABASE_UNAVAILABLE, new LiveSentences.Trimmed(keys.label()), keys);
  }
}
