package palmares.live.board;

import org.jspecify.annotations.Nullable;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;

/** Reports that Redis has lost a live board: it takes no events, and its period is not settled. */
public final class LiveBoardGone extends Refusal implements Repair.Needed {
  private final transient @Nullable Repair repair;

  private LiveBoardGone(Sentence said, @Nullable Repair repair) {
    super(Problem.LIVE_BOARD_GONE, said);
    this.repair = repair;
  }

  @Override
  public @Nullable Repair repair() {
    return repair;
  }

  /** Returns the failure to find a board that counts events. */
  public static LiveBoardGone counted(Period period) {
    var gone = new LiveBoardGone(new LiveSentences.Gone(period.label()), Repair.REBUILD);
    gone.then(Repair.REBUILD.next(period.board(), period.name()));
    return gone;
  }

  /** Returns the failure to find the keys of an adopted board that were seen before. */
  public static LiveBoardGone adopted(Period period) {
    return new LiveBoardGone(new LiveSentences.KeysGone(period.label()), null);
  }
}
