package palmares.live.board;

import org.jspecify.annotations.Nullable;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.platform.Refusal;

/** Reports that Redis has lost a live board: it takes no events, and its period is not settled. */
public final class LiveBoardGone extends Refusal implements Repair.Needed {
  private final transient @Nullable Repair repair;

  private LiveBoardGone(String message, @Nullable Repair repair) {
    super(Reason.LIVE_BOARD_GONE, message);
    this.repair = repair;
  }

  @Override
  public @Nullable Repair repair() {
    return repair;
  }

  /** Returns the failure to find a board that counts events. */
  public static LiveBoardGone counted(Period period) {
    return new LiveBoardGone(sentence(period.label()), Repair.REBUILD);
  }

  /** Says that the live board of a period, as in {@code invites 2026-W43}, is lost. */
  public static String sentence(String label) {
    return ("the live board of %1$s is gone from Redis; the period takes no events, and nobody is"
            + " paid, until 'palmares rebuild %1$s' has rebuilt it")
        .formatted(label);
  }

  /** Returns the failure to find the keys of an adopted board that were seen before. */
  public static LiveBoardGone adopted(Period period) {
    return new LiveBoardGone(
        ("the keys of the adopted board %s were seen, and are gone from Redis; nobody is paid until"
                + " they are restored")
            .formatted(period.label()),
        null);
  }
}
