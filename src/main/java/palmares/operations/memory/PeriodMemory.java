package palmares.operations.memory;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * What Redis holds of a period.
 *
 * @param state the period's; null if no such period is known
 * @param members how many stand on its board there
 * @param bytes what it takes, about
 * @param leavesAt when it may leave; null if that is not known yet, or it should be gone
 */
public record PeriodMemory(
    BoardId board,
    PeriodName period,
    @Nullable String state,
    long keys,
    long members,
    long bytes,
    Fate fate,
    @Nullable Instant leavesAt) {

  /** What becomes of the keys. */
  public enum Fate {
    /** The period is not settled. */
    IN_USE("stays until it is settled"),
    /** It is settled, and its retention is not over. */
    KEPT("leaves then, once it verifies"),
    /** The retention is over, and an amendment waits. */
    AMENDED("stays: an amendment waits"),
    /** It leaves with the next sweep. */
    DUE("leaves with the next sweep, if it verifies"),
    /** It is on its way out. */
    LEAVING("is being removed"),
    /** Its period is expired: whatever is there came back, or was left. */
    ORPHAN("orphan: the period is expired"),
    /** No period of that name is in this database. */
    UNKNOWN("orphan: no such period is known here");

    private final String sentence;

    Fate(String sentence) {
      this.sentence = sentence;
    }

    public String sentence() {
      return sentence;
    }

    public boolean isOrphan() {
      return this == ORPHAN || this == UNKNOWN;
    }
  }

  /** As messages name it. */
  public String label() {
    return board + " " + period;
  }
}
