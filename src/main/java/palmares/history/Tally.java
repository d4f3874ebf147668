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
  private long withoutEffect;

  void add(Outcome outcome) {
    lines++;
    if (isWithoutEffect(outcome)) {
      withoutEffect++;
    } else {
      kinds.merge(outcome.kind(), 1L, Long::sum);
    }
    if (isTaken(outcome)) {
      for (OnBoard part : outcome.boards()) {
        if (part.reason() != null && part.kind() != Kind.DUPLICATE) {
          leftOut.merge(part.reason(), 1L, Long::sum);
        }
      }
    }
  }

  /** Whether it counts on at least one board, now or before. */
  static boolean isTaken(Outcome outcome) {
    return outcome.kind() != Kind.REFUSED && outcome.kind() != Kind.LATE;
  }

  /** The boards have decided it, and rightly: it brings what is there, or takes what is not. */
  private static boolean isWithoutEffect(Outcome outcome) {
    return outcome.kind() == Kind.REFUSED
        && (outcome.reason() == Reason.NOTHING_TO_UNDO || outcome.reason() == Reason.REPEATED);
  }

  /** Those that were not blank. */
  public long lines() {
    return lines;
  }

  /** Undos that found nothing to take back, and repeats of an action on its subject. */
  public long withoutEffect() {
    return withoutEffect;
  }

  /** Of those that are not {@link #withoutEffect}. */
  public long of(Kind kind) {
    return kinds.getOrDefault(kind, 0L);
  }

  /** Of the lines that counted somewhere: on how many other boards they did not, and why. */
  public Map<Reason, Long> leftOut() {
    return Collections.unmodifiableMap(leftOut);
  }
}
