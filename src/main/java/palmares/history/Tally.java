package palmares.history;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import palmares.intake.Outcome;
import palmares.intake.Outcome.Kind;
import palmares.intake.Outcome.OnBoard;
import palmares.intake.Reason;

/** What became of the lines of a history. */
public final class Tally {
  private final Map<Kind, Long> kinds = new EnumMap<>(Kind.class);
  private final Map<Reason, Long> leftOut = new EnumMap<>(Reason.class);
  private long lines;

  void add(Outcome outcome) {
    lines++;
    kinds.merge(outcome.kind(), 1L, Long::sum);
    if (isTaken(outcome)) {
      for (OnBoard part : outcome.boards()) {
        if (part.reason() != null && part.kind() != Kind.DUPLICATE) {
          leftOut.merge(part.reason(), 1L, Long::sum);
        }
      }
    }
  }

  /** Whether at least one of its boards has decided it, now or before. */
  static boolean isTaken(Outcome outcome) {
    return outcome.kind() != Kind.REFUSED && outcome.kind() != Kind.LATE;
  }

  /** Those that were not blank. */
  public long lines() {
    return lines;
  }

  public long of(Kind kind) {
    return kinds.getOrDefault(kind, 0L);
  }

  /** Of the lines that counted somewhere: on how many other boards they did not, and why. */
  public Map<Reason, Long> leftOut() {
    return Collections.unmodifiableMap(leftOut);
  }
}
