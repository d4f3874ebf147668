package palmares.operations.monitoring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;

/**
 * A period that is due, is not settled, and does not settle without help.
 *
 * @param age since when: since it was due, since its first failure, or since it is held or paused
 * @param reason the failure, what the period is held for, the import that did not end, or who
 *     paused the board and why; null if none is known
 */
record Attention(Kind kind, String board, String period, Duration age, @Nullable Sentence reason) {
  enum Kind implements Choice {
    /** Due for longer than usual, although no closing of it has failed. */
    OVERDUE,
    /** Its last closing failed; it is tried again. */
    FAILED,
    /** Due on a board whose closings a person has paused. */
    PAUSED,
    /** Held for a person, or rejected by one. */
    HELD;

    /** Whether a person has stopped it on purpose. */
    boolean needsPerson() {
      return switch (this) {
        case OVERDUE, FAILED -> false;
        case PAUSED, HELD -> true;
      };
    }
  }

  String label() {
    return board + " " + period;
  }
}
