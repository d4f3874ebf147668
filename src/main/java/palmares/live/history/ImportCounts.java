package palmares.live.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.live.intake.RefusalReason;

/** Counts the results of lines of an import. */
public final class ImportCounts {
  private final Map<Kind, Long> kinds = new EnumMap<>(Kind.class);
  private final Map<RefusalReason, Long> leftOut = new EnumMap<>(RefusalReason.class);
  private final List<LeftOut> notTaken = new ArrayList<>();
  private long lines;
  private long withoutEffect;

  /** A line that counts on no board, because it was refused or is late. */
  public record LeftOut(long line, EventOutcome outcome) {}

  void add(long line, EventOutcome outcome) {
    lines++;
    if (!isTaken(outcome)) {
      notTaken.add(new LeftOut(line, outcome));
    }
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
  private static boolean isTaken(EventOutcome outcome) {
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

  /** Counts results by kind, except those {@link #withoutEffect}. */
  public Map<Kind, Long> kinds() {
    return Collections.unmodifiableMap(kinds);
  }

  /** The lines that count on no board, also those {@link #withoutEffect}. */
  public List<LeftOut> notTaken() {
    return Collections.unmodifiableList(notTaken);
  }

  /** Counts, by reason, the boards that refused an event which counts on another board. */
  public Map<RefusalReason, Long> leftOut() {
    return Collections.unmodifiableMap(leftOut);
  }
}
