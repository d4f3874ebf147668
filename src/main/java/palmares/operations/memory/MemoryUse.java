package palmares.operations.memory;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * What Redis holds.
 *
 * @param boards of each period that has any, by board and period
 * @param others what else is ours, such as kept answers
 * @param used what the server says that it uses altogether: bytes
 */
public record MemoryUse(List<PeriodMemory> boards, List<Other> others, long used) {
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

  /**
   * Keys that are no board's.
   *
   * @param name what they begin with
   */
  public record Other(String name, long keys, long bytes) {}

  /** What all of it takes, about: bytes. */
  public long bytes() {
    return boards.stream().mapToLong(PeriodMemory::bytes).sum()
        + others.stream().mapToLong(Other::bytes).sum();
  }

  /** Those of the periods whose keys belong to nobody. */
  public List<PeriodMemory> orphans() {
    return boards.stream().filter(held -> held.fate().isOrphan()).toList();
  }
}
