package palmares.operations.memory;

import java.util.List;

/**
 * What Redis holds.
 *
 * @param boards of each period that has any, by board and period
 * @param others what else is ours, such as kept answers
 * @param used what the server says that it uses altogether: bytes
 */
public record MemoryUse(List<PeriodMemory> boards, List<Other> others, long used) {

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
