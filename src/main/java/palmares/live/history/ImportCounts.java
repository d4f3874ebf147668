package palmares.live.history;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.live.intake.RefusalReason;

/** What became of the lines of a history. */
public final class ImportCounts {
  private final Map<Kind, Long> kinds = new EnumMap<>(Kind.class);
  private final Map<RefusalReason, Long> leftOut = new EnumMap<>(RefusalReason.class);
  private long lines;
  private long withoutEffect;

  void add(EventOutcome outcome) {
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
  static boolean isTaken(EventOutcome outcome) {
    return outcome.kind() != Kind.REFUSED && outcome.kind() != Kind.LATE;
  }

  /** The boards have decided it, and rightly: it brings what is there, or takes what is not. */
  private static boolean isWithoutEffect(EventOutcome outcome) {
    return outcome.kind() == Kind.REFUSED
        && (outcome.reason() == RefusalReason.NOTHING_TO_UNDO
            || outcome.reason() == RefusalReason.REPEATED);
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
  public Map<RefusalReason, Long> leftOut() {
    return Collections.unmodifiableMap(leftOut);
  }
}
