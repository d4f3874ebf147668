package palmares.operations.memory;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * The keys in Redis and their size.
 *
 * @param boards the periods with keys, by board and period
 * @param others other keys of Palmares, such as stored responses
 * @param used the bytes that the server reports as used
 */
public record MemoryUse(List<PeriodMemory> boards, List<Other> others, long used) {
  /**
   * The keys of a period.
   *
   * @param state the period's state; null if the period is unknown
   * @param members the number of members on its live board
   * @param bytes the approximate size
   * @param expiresAt when the keys may be removed; null if not known yet or already past
   * @param fate what becomes of the keys
   */
  public record PeriodMemory(
      BoardId board,
      PeriodName period,
      @Nullable String state,
      long keys,
      long members,
      long bytes,
      @Nullable Instant expiresAt,
      MemorySentences.Fate fate) {
    /** Says whether and when the keys are removed. */
    public enum KeyStatus implements Choice {
      /** The period is not settled. */
      IN_USE,
      /** The period is settled, and its retention is not over. */
      KEPT,
      /** The retention is over, but an amendment is undecided. */
      AMENDED,
      /** The next sweep removes it. */
      DUE,
      /** Its deletion is pending. */
      PENDING_DELETION,
      /** The period is expired: the keys were restored, or were left over. */
      ORPHAN,
      /** The database has no such period. */
      UNKNOWN;

      public boolean isOrphan() {
        return this == ORPHAN || this == UNKNOWN;
      }
    }

    public KeyStatus status() {
      return fate.status();
    }

    /** The name in messages, such as {@code invites 2026-W47}. */
    public String label() {
      return board + " " + period;
    }
  }

  /**
   * Keys that belong to no board.
   *
   * @param name what the keys begin with
   */
  public record Other(String name, long keys, long bytes) {}

  /** The approximate size of all keys, in bytes. */
  public long bytes() {
    return boards.stream().mapToLong(PeriodMemory::bytes).sum()
        + others.stream().mapToLong(Other::bytes).sum();
  }

  /** The periods whose keys are orphans. */
  public List<PeriodMemory> orphans() {
    return boards.stream().filter(held -> held.status().isOrphan()).toList();
  }
}
