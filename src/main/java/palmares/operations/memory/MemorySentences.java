package palmares.operations.memory;

import palmares.operations.memory.MemoryUse.PeriodMemory.KeyStatus;
import palmares.platform.text.Sentence;

/** What becomes of keys in Redis. */
public interface MemorySentences {
  record Fate(KeyStatus status) implements Sentence {}

  record NoOrphans(String period) implements Sentence {}
}
