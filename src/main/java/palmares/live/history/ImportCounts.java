package palmares.live.history;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.live.intake.RefusalReason;

/** Counts the results of the lines of an import. */
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

  /** Whether the event counts on at least one board. */
  static boolean isTaken(EventOutcome outcome) {
    return outcome.kind() != Kind.REFUSED && outcome.kind() != Kind.LATE;
  }

  /** Whether the event was refused only because its effect exists already, or does not exist. */
  private static boolean isWithoutEffect(EventOutcome outcome) {
    return outcome.kind() == Kind.REFUSED
        && (outcome.reason() == RefusalReason.NOTHING_TO_UNDO
            || outcome.reason() == RefusalReason.REPEATED);
  }

  /** Returns the number of lines that were not blank. */
  public long lines() {
    return lines;
  }

  /** Counts undos without anything to undo, and repeats of an action on its subject. */
  public long withoutEffect() {
    return withoutEffect;
  }

  /** Counts results of a kind, except those {@link #withoutEffect}. */
  public long of(Kind kind) {
    return kinds.getOrDefault(kind, 0L);
  }

  /** Counts, by reason, the boards that refused an event which counts on another board. */
  public Map<RefusalReason, Long> leftOut() {
    return Collections.unmodifiableMap(leftOut);
  }
}
